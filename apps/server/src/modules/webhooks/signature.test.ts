import { describe, expect, it } from 'vitest'
import { signatureOf } from './signature.ts'

describe('the signature of a delivery', () => {
  it('is HMAC-SHA256 over the time and the body', () => {
    // Made with: printf '1700000000.{"a":1}' | openssl dgst -sha256 -hmac 'a secret of the receiver'
    expect(signatureOf('a secret of the receiver', '{"a":1}', 1_700_000_000_999)).toBe(
      't=1700000000,v1=719d43160dd8091f1cdca2473a26871d7f4f701b9c72dd2391c6e537c2ec685b',
    )
  })
})
