import { OutboundError } from './error.js'

export interface BodyLimits {
  /** Most bytes of the body. */
  readonly bytes: number
  /** Told of memory before it is taken; an error of the table that it throws ends the reading. */
  readonly hold?: (bytes: number) => void
  readonly signal: AbortSignal
}

const firstRoom = 64 * 1024

/**
 * All bytes of a body, into memory that grows with what arrives and never beyond the limit, whatever was announced and
 * however small the pieces are.
 * @throws OutboundError, of the reason `too_large`
 */
export const readBody = async (
  body: AsyncIterable<Uint8Array>,
  announced: number | undefined,
  { bytes, hold = () => undefined, signal }: BodyLimits,
): Promise<Buffer> => {
  if (announced !== undefined && announced > bytes) throw tooLarge(bytes)
  let held = Buffer.alloc(0)
  let length = 0
  for await (const chunk of body) {
    signal.throwIfAborted()
    const needed = length + chunk.length
    if (needed > bytes) throw tooLarge(bytes)
    if (needed > held.length) {
      const room = Math.min(bytes, Math.max(needed, 2 * held.length, Math.min(announced ?? firstRoom, firstRoom)))
      hold(room - held.length)
      const larger = Buffer.allocUnsafeSlow(room)
      held.copy(larger, 0, 0, length)
      held = larger
    }
    held.set(chunk, length)
    length = needed
  }
  return held.subarray(0, length)
}

const tooLarge = (bytes: number) => new OutboundError('too_large', `more than ${bytes} bytes`)
