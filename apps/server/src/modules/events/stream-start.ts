import { sameText, type Keyring } from '../../secrets/keyring.ts'
import type { CommitPosition } from './commit-order.repo.ts'

/**
 * The id of the hello frame: a reader that is cut off before its first event goes on from where it
 * began. It names no event, so it is signed and dated: with a made-up one anybody could ask for
 * the whole history at once.
 */
export function startId(
  keyring: Keyring,
  appId: string,
  from: CommitPosition,
  now: number,
): string {
  return `${from.xid}.${now}.${sign(keyring, appId, from.xid, now)}`
}

export function parseStartId(
  keyring: Keyring,
  appId: string,
  text: string,
): { readonly position: CommitPosition; readonly at: number } | undefined {
  const match = /^(\d{1,19})\.(\d{1,15})\.([\w-]{22})$/.exec(text)
  if (match === null) return undefined
  const [, xid = '', at = '', signature = ''] = match
  if (!sameText(signature, sign(keyring, appId, xid, Number(at)))) return undefined
  return { position: { xid, id: '' }, at: Number(at) }
}

function sign(keyring: Keyring, appId: string, xid: string, at: number): string {
  return keyring.mac('cursor', `${appId} ${xid} ${at}`).toString('base64url').slice(0, 22)
}
