/** Reads bodies of responses, and yields to other work. */

import type { ReadableStreamDefaultReader } from 'node:stream/web'
import type { Pacer } from '@sallyport/kit/async'
import { ServerFault } from '../fault.js'
import type { ValueLimit } from './value-limit.js'

const chunkBytes = 4096

/**
 * Splits a body into short chunks, because the MCP SDK reads all events of a chunk in one turn of the event loop.
 * @throws ServerFault for a message of too many values
 */
export async function* pacedChunks(
  body: ReadableStreamDefaultReader<Uint8Array>,
  values: ValueLimit,
  pacer: Pacer,
): AsyncGenerator<Uint8Array> {
  for (let read = await body.read(); !read.done; read = await body.read())
    for (let start = 0; start < read.value.length; start += chunkBytes) {
      await pacer.pause()
      const chunk = read.value.subarray(start, start + chunkBytes)
      values.take(chunk)
      yield chunk
    }
}

const bracket = '['.charCodeAt(0)
const beforeJson: ReadonlySet<number> = new Set(Buffer.from('\t\n\r '))
const byteOrderMark = Buffer.from('\ufeff')

const isBeforeJson = (byte: number): boolean => beforeJson.has(byte) || byteOrderMark.includes(byte)

/**
 * Refuses batches, whose messages the MCP SDK would all read at once. A server may answer only batches with batches, and
 * none is sent.
 * @throws ServerFault for JSON that is an array
 */
export async function* refusingBatches(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let hasBegun = false
  for await (const chunk of chunks) {
    const first: number | undefined = hasBegun ? undefined : chunk.find((byte) => !isBeforeJson(byte))
    if (first === bracket) throw new ServerFault('answered with a batch of messages, which was not requested')
    hasBegun ||= first !== undefined
    yield chunk
  }
}
