import { call } from './api.js'
import { copyButton, el, table, time } from './dom.js'
import { field, form, messageLine } from './forms.js'

/** The account's apps, and the form that connects one more. */
export function appsPanel(onFailure) {
  const body = el('div', { 'aria-busy': true }, el('p', { class: 'quiet' }, 'Loading …'))
  const create = form({
    label: 'Create app',
    inRow: true,
    fields: [
      field('Name', { name: 'name', required: true, maxlength: 100, autocomplete: 'off' }),
      field('GitHub repository (optional)', {
        name: 'githubRepo',
        placeholder: 'owner/repo',
        maxlength: 140,
        autocomplete: 'off',
      }),
    ],
    submit: async ({ name, githubRepo }) => {
      const repo = githubRepo.trim()
      const app = { name: name.trim(), ...(repo === '' ? {} : { githubRepo: repo }) }
      const { data } = await callOrLeave('POST', '/api/apps', app)
      await load()
      return `Created ${data.name}.`
    },
  })

  async function callOrLeave(...request) {
    try {
      return await call(...request)
    } catch (error) {
      onFailure(error)
      throw error
    }
  }

  async function load() {
    try {
      const { data } = await call('GET', '/api/apps')
      body.replaceChildren(
        data.length === 0
          ? el('p', { class: 'quiet' }, 'No app yet. Create the first one below.')
          : appsTable(data),
      )
    } catch (error) {
      if (onFailure(error)) return
      const { line, say } = messageLine()
      say(error.message, true)
      const retry = el(
        'button',
        { type: 'button', class: 'plain', on: { click: load } },
        'Try again',
      )
      body.replaceChildren(line, el('p', {}), retry)
    } finally {
      body.removeAttribute('aria-busy')
    }
  }

  void load()
  return el(
    'section',
    { class: 'panel' },
    el('h2', {}, 'Apps'),
    body,
    el('h3', {}, 'New app'),
    create,
  )
}

function appsTable(apps) {
  return table(
    'Apps',
    ['Name', 'Plan', 'Score', 'Key', 'Created'],
    apps.map((app) => [
      el(
        'div',
        {},
        el('strong', {}, app.name),
        app.status === 'active' ? undefined : el('span', { class: 'badge' }, app.status),
        el('div', { class: 'mono quiet' }, app.id),
        app.githubRepo === null ? undefined : el('div', { class: 'quiet' }, app.githubRepo),
      ),
      el('span', { class: 'badge' }, app.plan),
      String(app.securityScore),
      secret(`key of ${app.name}`, app.apiKey),
      time(app.createdAt),
    ]),
  )
}

/** A key that nobody reads over a shoulder until its owner asks for it. */
export function secret(name, text) {
  const masked = `${text.slice(0, text.lastIndexOf('_') + 5)}…`
  const shown = el('code', {}, masked)
  const reveal = el(
    'button',
    {
      type: 'button',
      class: 'plain small',
      'aria-pressed': 'false',
      'aria-label': `Show the ${name}`,
    },
    'Show',
  )
  reveal.addEventListener('click', () => {
    const isShown = reveal.getAttribute('aria-pressed') === 'true'
    reveal.setAttribute('aria-pressed', String(!isShown))
    reveal.textContent = isShown ? 'Show' : 'Hide'
    shown.textContent = isShown ? masked : text
  })
  return el(
    'div',
    { class: 'secret' },
    shown,
    reveal,
    copyButton(`Copy the ${name}`, () => text),
  )
}
