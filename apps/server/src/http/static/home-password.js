import { call } from './api.js'
import { el } from './dom.js'
import { field, form } from './forms.js'

/** Sets the first password, or changes the one there is. */
export function passwordPanel(user, onFailure) {
  const current = field('Current password', {
    name: 'currentPassword',
    type: 'password',
    autocomplete: 'current-password',
    required: user.hasPassword,
  })
  current.hidden = !user.hasPassword
  const heading = el('h2', {}, user.hasPassword ? 'Change your password' : 'Set a password')
  const panel = form({
    label: 'Save password',
    fields: [
      // Password managers file a new password under the name that stands beside it.
      el('input', { autocomplete: 'username', value: user.email, readonly: true, hidden: true }),
      current,
      field(
        'New password',
        {
          name: 'newPassword',
          type: 'password',
          autocomplete: 'new-password',
          minlength: 12,
          maxlength: 200,
          required: true,
        },
        'At least 12 characters. Every other session of yours ends.',
      ),
    ],
    submit: async ({ currentPassword, newPassword }) => {
      const proof = currentPassword === '' ? {} : { currentPassword }
      try {
        await call('POST', '/api/auth/password', { ...proof, newPassword })
      } catch (error) {
        // A wrong current password is refused too; only a dead session leads back to the way in.
        if (error.status === 401 && (await isSignedOut())) onFailure(error)
        throw error
      }
      heading.textContent = 'Change your password'
      current.hidden = false
      current.querySelector('input').required = true
      return 'The password is saved.'
    },
  })
  return el('section', { class: 'panel' }, heading, panel)
}

async function isSignedOut() {
  return call('GET', '/api/auth/me').then(
    () => false,
    (error) => error.status === 401,
  )
}
