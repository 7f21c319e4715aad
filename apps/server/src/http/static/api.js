/** What the server refused, in the server's own sentence. */
export class ApiFailure extends Error {
  constructor(status, sentence) {
    super(sentence)
    this.status = status
  }
}

// The token lives in this page alone: another site can send our cookie but cannot read this.
let csrfToken

/** Calls the API with the session cookie; gives `{ data, meta }` or throws an ApiFailure. */
export async function call(method, path, body) {
  const headers = { accept: 'application/json' }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (csrfToken !== undefined && method !== 'GET') headers['x-csrf-token'] = csrfToken
  const response = await request(path, { method, headers, body: JSON.stringify(body) })
  const answer = await response.json().catch(() => undefined)
  if (answer?.ok !== true) {
    const sentence = answer?.error ?? `The server answered with the status ${response.status}.`
    throw new ApiFailure(response.status, sentence)
  }
  if (typeof answer.data?.csrfToken === 'string') csrfToken = answer.data.csrfToken
  return { data: answer.data, meta: answer.meta }
}

async function request(path, options) {
  try {
    return await fetch(path, { ...options, credentials: 'same-origin', cache: 'no-store' })
  } catch {
    throw new ApiFailure(0, 'The server cannot be reached. Check that it is running.')
  }
}
