/** Bodies of answers, read in turns with other work. */

import type { ReadableStreamDefaultReader } from 'node:stream/web'
import type { Pacer } from '@sallyport/kit/async'
import { ServerFault } from '../fault.js'
import type { ValueBound } from './value-bound.js'

/** Bytes: all events of a chunk are read in the same turn. */
const chunkLength = 4096

/**
 * In short chunks, for the library reads all that it is given before others have a turn of the event loop.
 * @throws ServerFault for a message of too many values
 */
export async function* pacedChunks(
  body: ReadableStreamDefaultReader<Uint8Array>,
  values: ValueBound,
  pacer: Pacer,
): AsyncGenerator<Uint8Array> {
  for (let read = await body.read(); !read.done; read = await body.read())
    for (let start = 0; start < read.value.length; start += chunkLength) {
      await pacer.pause()
      const chunk = read.value.subarray(start, start + chunkLength)
      values.take(chunk)
      yield chunk
    }
}

const bracket = '['.charCodeAt(0)
const beforeJson: ReadonlySet<number> = new Set(Buffer.from('\t\n\r '))
const byteOrderMark = Buffer.from('\ufeff')

const isSilent = (byte: number): boolean => beforeJson.has(byte) || byteOrderMark.includes(byte)

/**
 * The library reads all messages of a batch at once; batches answer batches, and none is sent.
 * @throws ServerFault for JSON that is an array
 */
export async function* refusingBatches(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let hasBegun = false
  for await (const chunk of chunks) {
    const first: number | undefined = hasBegun ? undefined : chunk.find((byte) => !isSilent(byte))
    if (first === bracket) throw new ServerFault('answered with a batch of messages, which was not asked for')
    hasBegun ||= first !== undefined
    yield chunk
  }
}
