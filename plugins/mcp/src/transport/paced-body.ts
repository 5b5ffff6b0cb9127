/** Reads bodies of answers, and yields to other work. */

import type { ReadableStreamDefaultReader } from 'node:stream/web'
import type { Pacer } from '@sallyport/kit/async'
import { ServerFault } from '../fault.js'
import type { ValueBound } from './value-bound.js'

/** Bytes per chunk; the library reads all events of a chunk in the same turn of the event loop. */
const chunkLength = 4096

/**
 * Splits a body into short chunks, because the library reads a whole chunk before the event loop turns.
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

const isBeforeJson = (byte: number): boolean => beforeJson.has(byte) || byteOrderMark.includes(byte)

/**
 * Refuses batches, whose messages the library would all read at once. Only batches may be answered by batches, and none
 * is sent.
 * @throws ServerFault for JSON that is an array
 */
export async function* refusingBatches(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let hasBegun = false
  for await (const chunk of chunks) {
    const first: number | undefined = hasBegun ? undefined : chunk.find((byte) => !isBeforeJson(byte))
    if (first === bracket) throw new ServerFault('answered with a batch of messages, which was not asked for')
    hasBegun ||= first !== undefined
    yield chunk
  }
}
