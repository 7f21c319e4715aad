import { call } from './api.js'

const form = document.querySelector('#link')
const button = form.querySelector('button')
const message = document.querySelector('#message')

// The token stands behind the # so that it reaches no server log; here it leaves the history too.
const token = new URLSearchParams(location.hash.slice(1)).get('token')
history.replaceState(null, '', location.pathname)

if (token === null || token === '') {
  button.disabled = true
  say('This link is not complete. Copy all of it, with everything behind the #.')
} else {
  button.focus()
}

// A press and not the mere visit: mail scanners and link previews visit, and would burn the link.
form.addEventListener('submit', (event) => {
  event.preventDefault()
  button.disabled = true
  say('')
  call('POST', '/api/auth/link', { token })
    .then(() => location.replace('/'))
    .catch((error) => {
      say(error.message)
      // Used or expired stays so; anything else may pass.
      button.disabled = error.status === 401
    })
})

function say(sentence) {
  message.textContent = sentence
  message.hidden = sentence === ''
}
