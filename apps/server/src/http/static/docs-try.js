import { copyButton, el } from './dom.js'
import { field, messageLine } from './forms.js'
import { exampleOf, notesOf, resolve, typeOf } from './docs-schema.js'

// The key stays in this variable: no storage, no address, gone with the page.
let apiKey = ''

const keyLabels = {
  account: 'API key of the account (mln_live_…)',
  operator: 'API key of the operator’s account (mln_live_…)',
  app: 'Key of the app (mlnapp_live_…)',
}

export function curlExample({ path, method, operation }, document) {
  const lines = [`curl -sS ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}`]
  lines[0] += shellQuote(`${location.origin}${path}`)
  for (const [name, value] of Object.entries(credentialHeaders(operation, undefined))) {
    // Double quotes, so that the shell puts the variable's value in.
    lines.push(`  -H "${name}: ${value}"`)
  }
  const body = bodyExample(operation, document)
  if (body !== undefined) {
    lines.push(`  -H 'Content-Type: ${body.mediaType}'`, `  -d ${shellQuote(body.text)}`)
  }
  return lines.join(' \\\n')
}

function shellQuote(text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function credentialHeaders(operation, key) {
  switch (operation['x-auth']) {
    case 'account':
    case 'operator':
      return { Authorization: `Bearer ${key ?? '$MERLON_API_KEY'}` }
    case 'app':
      return { 'X-API-Key': key ?? '$MERLON_APP_KEY' }
    case 'session':
      return key === undefined
        ? { Cookie: 'merlon_session=$SESSION', 'X-CSRF-Token': '$CSRF_TOKEN' }
        : {}
    default:
      return {}
  }
}

function bodyExample(operation, document) {
  const [mediaType, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  if (content === undefined) return undefined
  const example = exampleOf(content.schema, document)
  return { mediaType, text: JSON.stringify(example, null, 2) }
}

export function tryForm(entry, document) {
  const { operation, method } = entry
  const auth = operation['x-auth']
  if (['session', 'stream', 'webhook'].includes(auth)) {
    return el('p', { class: 'quiet' }, 'This one cannot be tried with an API key.')
  }
  const key = keyLabels[auth] && keyField(keyLabels[auth])
  const parameters = (operation.parameters ?? []).map((parameter) => ({
    parameter,
    element: parameterField(parameter, document),
  }))
  const body = bodyExample(operation, document)
  const bodyBox = body && el('textarea', { id: 'try-body', spellcheck: 'false' }, body.text)
  const send = el('button', { type: 'submit' }, `Send ${method.toUpperCase()}`)
  const { line, say } = messageLine()
  const result = el('div', { class: 'result', 'aria-live': 'polite' })
  const form = el(
    'form',
    { class: 'panel' },
    key,
    ...parameters.map(({ element }) => element),
    bodyBox &&
      el(
        'div',
        { class: 'field' },
        el('label', { for: 'try-body' }, `Body (${body.mediaType})`),
        bodyBox,
      ),
    el('div', {}, send),
    line,
    result,
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    send.disabled = true
    say('')
    const headers = credentialHeaders(operation, apiKey)
    if (body !== undefined) headers['Content-Type'] = body.mediaType
    sendRequest(addressOf(entry.path, parameters), method, headers, bodyBox?.value)
      .then((answer) => result.replaceChildren(...answer))
      .catch((error) => {
        result.replaceChildren()
        say(`Nothing came back: ${error.message}`, true)
      })
      .finally(() => (send.disabled = false))
  })
  return form
}

function keyField(label) {
  const element = field(
    label,
    { type: 'password', autocomplete: 'off', spellcheck: 'false', value: apiKey },
    'Kept in this page only, until it is closed.',
  )
  element.querySelector('input').addEventListener('input', ({ target }) => {
    apiKey = target.value.trim()
  })
  return element
}

function parameterField({ name, required, schema, description }, document) {
  const resolved = resolve(schema, document)
  const hint = [typeOf(schema, document), description, notesOf(resolved)].filter(Boolean).join('; ')
  const place = required ? '' : ' (optional)'
  return field(`${name}${place}`, { name, required, autocomplete: 'off' }, hint)
}

function addressOf(path, parameters) {
  const query = new URLSearchParams()
  let address = path
  for (const { parameter, element } of parameters) {
    const { value } = element.querySelector('input')
    if (parameter.in === 'path') {
      address = address.replace(`{${parameter.name}}`, encodeURIComponent(value))
    } else if (value !== '') {
      query.set(parameter.name, value)
    }
  }
  return query.size === 0 ? address : `${address}?${query}`
}

const shownHeaders = ['x-request-id', 'ratelimit-limit', 'ratelimit-remaining', 'retry-after']

async function sendRequest(address, method, headers, body) {
  const started = performance.now()
  // Without cookies: what is tried here is the key, not the session of whoever reads the page.
  const response = await fetch(address, {
    method: method.toUpperCase(),
    headers,
    body,
    credentials: 'omit',
    cache: 'no-store',
  })
  const text = await response.text()
  const took = Math.round(performance.now() - started)
  const shown = pretty(text)
  const lines = shownHeaders
    .filter((name) => response.headers.has(name))
    .map((name) => `${name}: ${response.headers.get(name)}`)
  return [
    el(
      'p',
      {},
      el('strong', {}, `${response.status} ${response.statusText}`),
      ` in ${took} ms, ${text.length} characters`,
    ),
    el('pre', { tabindex: 0 }, lines.join('\n')),
    el('p', {}),
    el(
      'div',
      { class: 'example' },
      el('pre', { tabindex: 0 }, shown),
      copyButton('Copy the answer', () => shown),
    ),
  ]
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
