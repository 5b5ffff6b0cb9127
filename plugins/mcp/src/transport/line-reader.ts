import type { Readable } from 'node:stream'
import type { Pacer } from '@sallyport/kit/async'
import { ServerFault } from '../fault.js'
import { ValueLimit } from './value-limit.js'

const lineFeed = 0x0a

/**
 * Reads lines of a bounded length. Reading yields to other work, and excess input waits in the pipe.
 * @param max bytes of a line
 * @throws ServerFault for a line that is too long or has too many values; any error of the stream
 */
export async function* boundedLines(stream: Readable, max: number, pacer: Pacer): AsyncGenerator<string> {
  let parts: Buffer[] = []
  let length = 0
  const values = new ValueLimit()
  const add = (part: Buffer) => {
    length += part.length
    if (length > max) throw new ServerFault(`sent a message of more than ${max} bytes`)
    values.take(part)
    parts.push(part)
  }
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      add(chunk.subarray(start, end))
      if (pacer.isDue) await pacer.pause()
      yield Buffer.concat(parts).toString()
      parts = []
      length = 0
      values.restart()
      start = end + 1
    }
    add(chunk.subarray(start))
    await pacer.pause()
  }
}
