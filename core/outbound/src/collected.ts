interface Room {
  /** Most that a body can come to. */
  readonly bytes: number
  readonly announced: number | undefined
  readonly hold: ((bytes: number) => void) | undefined
}

const firstRoom = 64 * 1024

/**
 * All bytes of a body that is bounded already, into memory that grows with what arrives and never beyond the bound,
 * whatever was announced and however small the pieces are.
 */
export const collected = async (
  body: AsyncIterable<Uint8Array>,
  { bytes, announced = firstRoom, hold }: Room,
): Promise<Buffer> => {
  let held = Buffer.alloc(0)
  let length = 0
  for await (const chunk of body) {
    const needed = length + chunk.length
    if (needed > held.length) {
      const room = Math.min(bytes, Math.max(needed, 2 * held.length, Math.min(announced, firstRoom)))
      hold?.(room - held.length)
      const larger = Buffer.allocUnsafeSlow(room)
      held.copy(larger, 0, 0, length)
      held = larger
    }
    held.set(chunk, length)
    length = needed
  }
  return held.subarray(0, length)
}
