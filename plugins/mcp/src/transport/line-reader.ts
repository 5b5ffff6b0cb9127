import type { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { ServerFault } from '../fault.js'

const lineFeed = 0x0a

/**
 * Lines of a stream, of so many bytes each: of a longer one no more is kept. Between two chunks others have a turn of
 * the event loop, and a flood waits in the pipe.
 * @throws ServerFault for a line that is too long; what the stream fails with
 */
export async function* boundedLines(stream: Readable, most: number): AsyncGenerator<string> {
  let parts: Buffer[] = []
  let length = 0
  const add = (part: Buffer) => {
    length += part.length
    if (length > most) throw new ServerFault(`sent a message of more than ${most} bytes`)
    parts.push(part)
  }
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      add(chunk.subarray(start, end))
      yield Buffer.concat(parts).toString()
      parts = []
      length = 0
      start = end + 1
    }
    add(chunk.subarray(start))
    await turn()
  }
}
