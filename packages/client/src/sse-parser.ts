export interface StreamFrame {
  readonly event: string
  readonly data: string
  /** The last id that the stream gave: where to go on after a drop. */
  readonly id: string | undefined
}

/** Above the largest frame that the server makes; more is not ours, and must not fill the memory. */
const FRAME_CHARACTERS_MAX = 4 * 1024 * 1024

/** Server-Sent Events, as the HTML standard reads them, from pieces cut anywhere. */
export function createSseParser(frameCharactersMax = FRAME_CHARACTERS_MAX) {
  let rest = ''
  let endedInCr = false
  let event = ''
  let data: string[] = []
  let dataCharacters = 0
  let id: string | undefined

  function takeLine(line: string): StreamFrame | undefined {
    if (line === '') return endFrame()
    const colon = line.indexOf(':')
    // A line that begins with a colon is a comment.
    if (colon === 0) return undefined
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') event = value
    if (field === 'id' && !value.includes('\0')) id = value === '' ? undefined : value
    if (field === 'data') {
      data.push(value)
      dataCharacters += value.length
    }
    return undefined
  }

  function endFrame(): StreamFrame | undefined {
    const frame =
      data.length === 0 ? undefined : { event: event || 'message', data: data.join('\n'), id }
    event = ''
    data = []
    dataCharacters = 0
    return frame
  }

  /** The frames that this piece brings to their end. Throws when one grows too large. */
  return function parse(piece: string): readonly StreamFrame[] {
    // CR and LF of one line end may come in two pieces.
    const text = endedInCr && piece.startsWith('\n') ? piece.slice(1) : piece
    if (piece !== '') endedInCr = piece.endsWith('\r')
    const frames: StreamFrame[] = []
    let from = 0
    for (const end of text.matchAll(/\r\n|\r|\n/g)) {
      const frame = takeLine(rest + text.slice(from, end.index))
      rest = ''
      from = end.index + end[0].length
      if (frame !== undefined) frames.push(frame)
    }
    rest += text.slice(from)
    if (rest.length + dataCharacters > frameCharactersMax) {
      throw new RangeError(`a frame is larger than ${frameCharactersMax} characters`)
    }
    return frames
  }
}
