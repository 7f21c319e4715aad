import { open } from 'node:fs/promises'

const pieceSize = 32 * 1024

/**
 * Hands every line of a file to `take`, piece by piece: between two pieces the event loop turns, so
 * that a file of 20 MB holds nobody up. A line is only valid during the call.
 */
export async function eachLine(
  path: string,
  take: (line: Buffer) => void,
  signal?: AbortSignal,
): Promise<void> {
  const file = await open(path, 'r')
  try {
    const piece = Buffer.allocUnsafeSlow(pieceSize)
    let kept = 0
    for (;;) {
      signal?.throwIfAborted()
      const { bytesRead } = await file.read(piece, kept, pieceSize - kept)
      if (bytesRead === 0) break
      const filled = piece.subarray(0, kept + bytesRead)
      const rest = takeLines(filled, take)
      if (rest.length === pieceSize)
        throw new Error(`${path} has a line of over ${pieceSize} bytes`)
      kept = rest.copy(piece)
    }
    if (kept > 0) take(piece.subarray(0, kept))
  } finally {
    await file.close()
  }
}

/** What stands behind the last line end is the beginning of a line that is still to come. */
function takeLines(filled: Buffer, take: (line: Buffer) => void): Buffer {
  let from = 0
  for (;;) {
    const end = filled.indexOf(0x0a, from)
    if (end === -1) return filled.subarray(from)
    take(filled.subarray(from, end))
    from = end + 1
  }
}
