/**
 * Builds an element. Text is always set as text, so that no name or sentence from the server can
 * become markup. `on` holds listeners; every other attribute is set as it is.
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'on') {
      for (const [type, listener] of Object.entries(value)) element.addEventListener(type, listener)
    } else if (value === true) {
      element.setAttribute(name, '')
    } else if (value !== false && value !== undefined && value !== null) {
      element.setAttribute(name, String(value))
    }
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null))
  return element
}

/** Sentences with `code` in backticks, and an empty line between paragraphs. */
export function prose(text) {
  return text
    .split('\n\n')
    .map((paragraph) =>
      el(
        'p',
        {},
        ...paragraph.split('`').map((part, i) => (i % 2 === 1 ? el('code', {}, part) : part)),
      ),
    )
}

export function table(caption, headings, rows) {
  return el(
    'div',
    // A region that scrolls must be reachable with the keyboard.
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption },
    el(
      'table',
      {},
      el('thead', {}, el('tr', {}, ...headings.map((text) => el('th', { scope: 'col' }, text)))),
      el('tbody', {}, ...rows.map((cells) => el('tr', {}, ...cells.map((c) => el('td', {}, c))))),
    ),
  )
}

/** A button that copies text and says so on its own face. */
export function copyButton(name, text) {
  const button = el('button', { type: 'button', class: 'plain small', 'aria-label': name }, 'Copy')
  button.addEventListener('click', () => {
    copy(text()).then(
      () => flash(button, 'Copied'),
      () => flash(button, 'Select and copy it by hand'),
    )
  })
  return button
}

async function copy(text) {
  // Browsers offer the clipboard only to pages over TLS or on this very machine.
  if (navigator.clipboard === undefined) throw new Error('no clipboard')
  await navigator.clipboard.writeText(text)
}

function flash(button, words) {
  const before = 'Copy'
  button.textContent = words
  setTimeout(() => (button.textContent = before), 2000)
}

export function time(iso) {
  if (iso === null || iso === undefined) return 'never'
  return el('time', { datetime: iso, title: iso }, new Date(iso).toLocaleString())
}
