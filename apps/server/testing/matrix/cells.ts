import type { Endpoint } from '@merlon/contract'

/** What can be wrong with a caller. Each is asked of every endpoint. */
export const conditions = [
  'no key',
  'malformed key',
  'wrong kind of key',
  'expired',
  'revoked',
  'other account',
  'suspended account',
  'lower plan',
] as const
export type Condition = (typeof conditions)[number]

/** Either the status that must come, or the reason why the question makes no sense here. */
export type Cell = { readonly status: number } | { readonly notApplicable: string }

/** What must happen, read from the declaration alone: the server has no say in it. */
export function cellOf(endpoint: Endpoint, condition: Condition): Cell {
  if (condition === 'lower plan') return lowerPlan(endpoint)
  switch (endpoint.auth) {
    case 'account':
    case 'session':
      return condition === 'other account' ? otherAccount(endpoint) : keyed(condition)
    case 'operator':
      if (condition === 'suspended account')
        return { notApplicable: "The operator's account cannot be suspended." }
      return condition === 'other account' ? { status: 403 } : keyed(condition)
    case 'app':
      if (condition === 'other account' && endpoint.app === undefined)
        return { notApplicable: 'The key itself says which app is meant.' }
      return keyed(condition)
    case 'stream':
      if (condition === 'revoked')
        return { notApplicable: 'A stream token ends by itself after a minute.' }
      // The token is made for one app: at another it is simply wrong.
      return condition === 'other account' ? { status: 401 } : keyed(condition)
    case 'webhook':
      return signed(condition)
    case 'public':
      return open(endpoint, condition)
  }
}

/** A credential that is not good is 401; one that is good and not enough is 403. */
function keyed(condition: Condition): Cell {
  return { status: condition === 'other account' || condition === 'suspended account' ? 403 : 401 }
}

function otherAccount(endpoint: Endpoint): Cell {
  return endpoint.app === undefined && endpoint.params === undefined
    ? { notApplicable: 'The call names nothing that another account could own.' }
    : { status: 403 }
}

function signed(condition: Condition): Cell {
  return condition === 'no key' ||
    condition === 'malformed key' ||
    condition === 'wrong kind of key'
    ? { status: 401 }
    : { notApplicable: 'A signature belongs to no account and does not run out.' }
}

function open(endpoint: Endpoint, condition: Condition): Cell {
  if (condition === 'other account')
    return { notApplicable: 'The call is open to everybody, whatever their account.' }
  if (condition !== 'suspended account') return { status: endpoint.returns.status }
  return endpoint.statuses.includes(403)
    ? { status: 403 }
    : { notApplicable: 'The call concerns no account.' }
}

function lowerPlan({ plan }: Endpoint): Cell {
  return plan === undefined || plan === 'free'
    ? { notApplicable: 'Every plan may call this.' }
    : { status: 403 }
}
