import { copyButton, el, prose, table } from './dom.js'
import { fieldRows, notesOf, resolve, typeOf } from './docs-schema.js'
import { curlExample, tryForm } from './docs-try.js'

const main = document.querySelector('#main')
const list = document.querySelector('#list')
const search = document.querySelector('#search')
const found = document.querySelector('#found')

const authWords = {
  account: 'An API key of the account, or a signed-in session.',
  operator: 'An API key or session of the operator’s account.',
  session: 'A signed-in session; state-changing calls send X-CSRF-Token too.',
  app: 'The key of the app, in X-API-Key.',
  stream: 'A stream token, in the query.',
  webhook: 'A signature over the body.',
  public: 'Nothing: this endpoint is open.',
}

try {
  const response = await fetch('/openapi.json')
  if (!response.ok) throw new Error(`the server answered ${response.status}`)
  start(await response.json())
} catch (error) {
  main.replaceChildren(
    el(
      'p',
      { class: 'message bad' },
      `The description of the API cannot be loaded: ${error.message}.`,
    ),
  )
}

function start(api) {
  const entries = Object.entries(api.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      path,
      method,
      operation,
      area: operation.tags[0],
      words: `${method} ${path} ${operation.operationId} ${operation.summary}`.toLowerCase(),
    })),
  )
  showList(api, entries)
  showChosen(api, entries)
  search.addEventListener('input', () => showList(api, entries))
  addEventListener('hashchange', () => {
    showChosen(api, entries)
    main.focus()
    scrollTo(0, 0)
  })
  addEventListener('keydown', moveByKey)
  // The part behind # names the endpoint here, so the skip link moves without touching it.
  document.querySelector('.skip').addEventListener('click', (event) => {
    event.preventDefault()
    main.focus()
  })
}

/** `/` goes to the search; the arrows walk from it through the list. */
function moveByKey(event) {
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '')
  if (event.key === '/' && !isTyping) {
    event.preventDefault()
    search.focus()
    return
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const links = [...list.querySelectorAll('a')]
  const at = links.indexOf(document.activeElement)
  if (step === undefined || (at === -1 && document.activeElement !== search)) return
  event.preventDefault()
  const next = links[at + step]
  if (next === undefined && step === -1) search.focus()
  else next?.focus()
}

function showList(api, entries) {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
  const shown = entries.filter((entry) => words.every((word) => entry.words.includes(word)))
  found.textContent = words.length === 0 ? '' : `${shown.length} of ${entries.length} endpoints`
  list.replaceChildren(
    ...api.tags.flatMap(({ name, description }) => {
      const inArea = shown.filter(({ area }) => area === name)
      if (inArea.length === 0) return []
      return [el('h2', { title: description }, name), el('ul', {}, ...inArea.map(listItem))]
    }),
  )
  markChosen()
}

function listItem({ method, path, operation }) {
  return el(
    'li',
    {},
    el(
      'a',
      { href: `#${operation.operationId}`, title: operation.summary },
      methodBadge(method),
      el('span', {}, path),
    ),
  )
}

function methodBadge(method) {
  return el('span', { class: `method ${method}` }, method.toUpperCase())
}

function markChosen() {
  for (const link of list.querySelectorAll('a')) {
    if (link.getAttribute('href') === location.hash) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
}

function showChosen(api, entries) {
  const id = location.hash.slice(1)
  const entry = entries.find(({ operation }) => operation.operationId === id)
  document.title = `${entry?.operation.summary ?? 'API reference'} · Merlon`
  main.replaceChildren(...(entry === undefined ? introduction(api) : endpointPage(entry, api)))
  markChosen()
}

function introduction(api) {
  return [
    el('h1', {}, `${api.info.title} API ${api.info.version}`),
    ...prose(api.info.description),
    section(
      'Credentials',
      table(
        'Credentials',
        ['Scheme', 'Where', 'What'],
        Object.entries(api.components.securitySchemes).map(([name, scheme]) => [
          el('code', {}, name),
          scheme.in === undefined ? 'Authorization header' : `${scheme.in} ${scheme.name}`,
          el('div', {}, ...prose(scheme.description)),
        ]),
      ),
    ),
    section(
      'Areas',
      table(
        'Areas',
        ['Area', 'What it holds'],
        api.tags.map(({ name, description }) => [el('strong', {}, name), description]),
      ),
    ),
  ]
}

function endpointPage(entry, api) {
  const { path, method, operation } = entry
  const curl = curlExample(entry, api)
  const body = Object.entries(operation.requestBody?.content ?? {})
  return [
    el('h1', {}, operation.summary),
    el('div', { class: 'address' }, methodBadge(method), el('span', {}, path)),
    ...(operation.description === undefined ? [] : prose(operation.description)),
    el('p', {}, el('strong', {}, 'Needs: '), authWords[operation['x-auth']]),
    operation.parameters && section('Parameters', parametersTable(operation.parameters, api)),
    body.length === 0 ? undefined : section('Body', ...bodyParts(operation.requestBody, body, api)),
    section('Answers', ...Object.entries(operation.responses).map((one) => answer(one, api))),
    section(
      'Example',
      el(
        'div',
        { class: 'example' },
        el('pre', { tabindex: 0 }, curl),
        copyButton('Copy the example', () => curl),
      ),
    ),
    section('Try it', tryForm(entry, api)),
  ].filter((part) => part !== undefined)
}

function section(title, ...parts) {
  const id = title.toLowerCase().replaceAll(' ', '-')
  return el('section', { 'aria-labelledby': id }, el('h2', { id }, title), ...parts)
}

function parametersTable(parameters, api) {
  return table(
    'Parameters',
    ['Name', 'In', 'Type', 'Rules'],
    parameters.map(({ name, in: place, required, schema, description }) => [
      nameCell(name, required),
      place,
      el('code', {}, typeOf(schema, api)),
      [description, notesOf(resolve(schema, api))].filter(Boolean).join('; '),
    ]),
  )
}

function bodyParts(requestBody, contents, api) {
  const [, { schema }] = contents[0]
  const types = contents.map(([mediaType]) => mediaType).join(' or ')
  const optional = requestBody.required ? '' : ' It may be left out.'
  return [el('p', { class: 'quiet' }, `${types}.${optional}`), fieldsTable(schema, api, true)]
}

function fieldsTable(schema, api, showsRequired) {
  const rows = fieldRows(schema, api)
  if (rows.length === 0) return el('p', {}, el('code', {}, typeOf(schema, api)))
  return table(
    'Fields',
    ['Field', 'Type', 'Rules'],
    rows.map(({ name, type, required, notes }) => [
      nameCell(name, required && showsRequired),
      el('code', {}, type),
      notes,
    ]),
  )
}

function nameCell(name, required) {
  const mark = required ? el('div', { class: 'needed' }, 'required') : undefined
  return el('div', {}, el('code', {}, name), mark)
}

function answer([status, reference], api) {
  const response = resolve(reference, api)
  const isGood = Number(status) < 400
  const [mediaType, content] = Object.entries(response.content ?? {})[0] ?? []
  const headers = Object.keys(response.headers ?? {}).join(', ')
  return el(
    'details',
    { open: isGood },
    el('summary', {}, el('strong', {}, status), ` ${response.description.replaceAll('`', '')}`),
    el(
      'div',
      {},
      mediaType && el('p', { class: 'quiet' }, mediaType),
      content && fieldsTable(content['x-frame'] ?? content.schema, api, false),
      headers && el('p', { class: 'quiet' }, `Headers: ${headers}`),
    ),
  )
}
