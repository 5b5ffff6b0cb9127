import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { PacedWriter } from './writer.js'

const sliceSize = 64 * 1024

/** Sends JSON text; a large one in slices, at the client's pace and with turns for others in between. */
export const sendJson = async (response: ServerResponse, pieces: Iterable<string>, patience: number): Promise<void> => {
  const writer = new PacedWriter(response, patience)
  response.setHeader('content-type', 'application/json')
  response.statusCode = 200
  let slice = ''
  let sliced = false
  for (const piece of pieces) {
    slice += piece
    if (slice.length < sliceSize) continue
    sliced = true
    await writer.write(slice)
    slice = ''
    await nextTurn()
  }
  if (!sliced) response.setHeader('content-length', Buffer.byteLength(slice))
  await writer.end(slice)
}
