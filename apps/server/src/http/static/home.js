import { call } from './api.js'
import { el } from './dom.js'
import { field, form, messageLine } from './forms.js'
import { appsPanel } from './home-apps.js'
import { keysPanel } from './home-keys.js'
import { passwordPanel } from './home-password.js'

const main = document.querySelector('#main')
const who = document.querySelector('#who')

await open()

/** Shows what the caller may see: the account, or the way in. */
async function open() {
  try {
    showAccount((await call('GET', '/api/auth/me')).data)
  } catch (error) {
    if (error.status === 401) showSignIn()
    else showFailure(error.message)
  }
}

function showSignIn(sentence) {
  document.title = 'Sign in · Merlon'
  who.replaceChildren()
  const signIn = form({
    label: 'Sign in',
    fields: [
      field('E-mail', { name: 'email', type: 'email', autocomplete: 'username', required: true }),
      field('Password', {
        name: 'password',
        type: 'password',
        autocomplete: 'current-password',
        required: true,
      }),
    ],
    submit: async (values) => showAccount((await call('POST', '/api/auth/login', values)).data),
  })
  const { line, say } = messageLine()
  if (sentence !== undefined) say(sentence)
  main.replaceChildren(
    el(
      'div',
      { class: 'page narrow' },
      el('section', { class: 'panel' }, el('h1', {}, 'Sign in'), line, signIn),
      el(
        'p',
        { class: 'quiet' },
        'No password yet? The first start of the server prints a one-time sign-in link; later, ',
        'someone who is signed in, or holds an API key, can make one for you.',
      ),
    ),
  )
  main.querySelector('input').focus()
}

function showAccount(me) {
  document.title = `${me.account.name} · Merlon`
  who.replaceChildren(
    el('div', { class: 'row' }, el('span', {}, me.user?.email ?? me.account.name), signOutButton()),
  )
  // A session can end while the page is open; the next call tells, and the way in comes back.
  const onFailure = (error) => {
    if (error.status !== 401) return false
    showSignIn('Your session has ended. Sign in again.')
    return true
  }
  main.replaceChildren(
    el(
      'div',
      { class: 'page' },
      el('h1', {}, me.account.name),
      el(
        'p',
        { class: 'quiet' },
        me.account.role === 'operator' ? 'Operator account. ' : '',
        'Everything here, and more, is in the ',
        el('a', { href: '/docs' }, 'API'),
        ' and in the ',
        el('code', {}, 'merlon'),
        ' command.',
      ),
      appsPanel(onFailure),
      keysPanel(onFailure),
      me.user === null ? undefined : passwordPanel(me.user, onFailure),
    ),
  )
  main.focus()
}

function signOutButton() {
  const button = el('button', { type: 'button', class: 'plain small' }, 'Sign out')
  button.addEventListener('click', () => {
    button.disabled = true
    call('POST', '/api/auth/logout')
      .then(() => showSignIn('You are signed out.'))
      .catch((error) => {
        if (error.status === 401) showSignIn('You are signed out.')
        else showFailure(error.message)
      })
  })
  return button
}

function showFailure(sentence) {
  const retry = el('button', { type: 'button', on: { click: () => void open() } }, 'Try again')
  const { line, say } = messageLine()
  say(sentence, true)
  main.replaceChildren(el('div', { class: 'page narrow' }, line, el('p', {}), retry))
}
