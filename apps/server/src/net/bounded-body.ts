import type { Readable } from 'node:stream'

/** The first bytes of an answer. What comes after them is not read: an answer may never end. */
export async function readStart(
  stream: Readable,
  bytesMax: number,
): Promise<{ readonly bytes: Buffer; readonly truncated: boolean }> {
  const chunks: Buffer[] = []
  let length = 0
  // Leaving the loop early destroys the stream, and the connection with it.
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length > bytesMax) break
  }
  return { bytes: Buffer.concat(chunks).subarray(0, bytesMax), truncated: length > bytesMax }
}
