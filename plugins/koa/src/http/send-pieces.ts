import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { PacedWriter } from './writer.js'

const sliceSize = 64 * 1024

/** The content of an answer. */
export interface Content {
  /** Its content type. */
  readonly type: string
  /** Together they are the content. */
  readonly pieces: Iterable<string>
}

/**
 * Sends an answer; a large one in slices, at the client's pace and with turns for others in between.
 * @param patience seconds that the client may take nothing
 * @throws client_closed
 */
export const sendPieces = async (
  response: ServerResponse,
  { type, pieces }: Content,
  patience: number,
): Promise<void> => {
  const writer = new PacedWriter(response, patience)
  response.setHeader('content-type', type)
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
