import { createHmac } from 'node:crypto'

/** `t=<seconds>,v1=<hex>`: the time is signed too, so that an old call cannot be sent again later. */
export function signatureOf(secret: string, body: string, atMs: number): string {
  const seconds = Math.floor(atMs / 1_000)
  const hex = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${hex}`
}
