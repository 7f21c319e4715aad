import { el } from './dom.js'

let fieldsMade = 0

/** A labelled input; `hint` is read out with it. */
export function field(label, attributes, hint) {
  const id = `field-${++fieldsMade}`
  const hintId = hint === undefined ? undefined : `${id}-hint`
  const input = el('input', { id, 'aria-describedby': hintId, ...attributes })
  return el(
    'div',
    { class: 'field' },
    el('label', { for: id }, label),
    input,
    hint === undefined ? undefined : el('small', { id: hintId, class: 'quiet' }, hint),
  )
}

/** A line that screen readers announce when it changes. */
export function messageLine() {
  const line = el('p', { class: 'message', role: 'status', hidden: true })
  return {
    line,
    say: (text, isBad = false) => {
      line.textContent = text
      line.classList.toggle('bad', isBad)
      line.hidden = text === ''
    },
  }
}

/**
 * A form that sends its values to `submit` and shows what came of it. The button rests while a
 * call is under way, so that one press makes one key and not two.
 */
export function form({ fields, label, submit, inRow = false }) {
  const { line, say } = messageLine()
  const button = el('button', { type: 'submit' }, label)
  const element = inRow
    ? el('form', {}, el('div', { class: 'row' }, ...fields, button), line)
    : el('form', {}, ...fields, el('div', {}, button), line)
  element.addEventListener('submit', (event) => {
    event.preventDefault()
    button.disabled = true
    say('')
    submit(Object.fromEntries(new FormData(element)))
      .then((sentence) => {
        element.reset()
        if (typeof sentence === 'string') say(sentence)
      })
      .catch((error) => say(error.message, true))
      .finally(() => (button.disabled = false))
  })
  return element
}
