import { call } from './api.js'
import { copyButton, el, table, time } from './dom.js'
import { field, form, messageLine } from './forms.js'

/** The account's API keys. A new one is shown once: the server keeps only its hash. */
export function keysPanel(onFailure) {
  const body = el('div', { 'aria-busy': true }, el('p', { class: 'quiet' }, 'Loading …'))
  const fresh = el('div', { 'aria-live': 'polite' })
  const { line, say } = messageLine()

  const create = form({
    label: 'Create key',
    inRow: true,
    fields: [
      field('Name', { name: 'name', required: true, maxlength: 100, autocomplete: 'off' }),
      field('Expires (optional)', { name: 'expiresAt', type: 'datetime-local' }),
    ],
    submit: async ({ name, expiresAt }) => {
      const expiry = expiresAt === '' ? {} : { expiresAt: new Date(expiresAt).toISOString() }
      const { data } = await attempt(() =>
        call('POST', '/api/keys', { name: name.trim(), ...expiry }),
      )
      fresh.replaceChildren(freshKey(data))
      await load()
    },
  })

  async function attempt(work) {
    try {
      return await work()
    } catch (error) {
      onFailure(error)
      throw error
    }
  }

  async function load() {
    try {
      const { data } = await attempt(() => call('GET', '/api/keys'))
      body.replaceChildren(
        data.length === 0 ? el('p', { class: 'quiet' }, 'No API key.') : keysTable(data),
      )
      say('')
    } catch (error) {
      body.replaceChildren()
      say(error.message, true)
    } finally {
      body.removeAttribute('aria-busy')
    }
  }

  function keysTable(keys) {
    return table(
      'API keys',
      ['Name', 'Begins with', 'Created', 'Last used', 'Expires', ''],
      keys.map((key) => [
        key.name,
        el('code', {}, key.hint),
        time(key.createdAt),
        time(key.lastUsedAt),
        time(key.expiresAt),
        revokeButton(key),
      ]),
    )
  }

  /** Two presses: a revoked key stops working at once and cannot come back. */
  function revokeButton(key) {
    const button = el(
      'button',
      { type: 'button', class: 'danger small', 'aria-label': `Revoke ${key.name}` },
      'Revoke',
    )
    button.addEventListener('blur', () => (button.textContent = 'Revoke'))
    button.addEventListener('click', () => {
      if (button.textContent === 'Revoke') {
        button.textContent = 'Really revoke?'
        button.setAttribute('aria-label', `Really revoke ${key.name}? Press again to confirm`)
        return
      }
      button.disabled = true
      attempt(() => call('DELETE', `/api/keys/${encodeURIComponent(key.id)}`))
        .then(load)
        .then(() => fresh.replaceChildren())
        .then(() => say(`Revoked ${key.name}.`))
        .catch((error) => {
          button.disabled = false
          say(error.message, true)
        })
    })
    return button
  }

  void load()
  return el(
    'section',
    { class: 'panel' },
    el('h2', {}, 'API keys'),
    line,
    body,
    el('h3', {}, 'New key'),
    create,
    fresh,
  )
}

function freshKey({ name, key }) {
  return el(
    'div',
    { class: 'message' },
    el('p', {}, `The key “${name}”. Copy it now: it is not shown again.`),
    el(
      'div',
      { class: 'secret' },
      el('code', {}, key),
      copyButton('Copy the new key', () => key),
    ),
  )
}
