import { createHash, createHmac } from 'node:crypto'

/** A pseudorandom sequence, which is the same for the same key and parts. */
export class Randomness {
  private block = Buffer.alloc(0)
  private blocks = 0
  private next = 0
  private readonly seed: Buffer

  constructor(key: Uint8Array, ...parts: readonly string[]) {
    const hmac = createHmac('sha256', key)
    for (const part of parts) hmac.update(`${part.length}:`).update(part, 'utf16le')
    this.seed = hmac.digest()
  }

  byte(): number {
    if (this.next === this.block.length) {
      this.block = createHash('sha256').update(this.seed).update(String(this.blocks)).digest()
      this.blocks += 1
      this.next = 0
    }
    return this.block[this.next++] ?? 0
  }

  /** An integer from 0 to `limit - 1`. */
  below(limit: number): number {
    return Math.floor((((this.byte() * 256 + this.byte()) * 256 + this.byte()) / 0x1000000) * limit)
  }

  oneOf<Item>(items: ArrayLike<Item>): Item {
    const item = items[this.below(items.length)]
    if (item === undefined) throw new RangeError('there is nothing to choose from')
    return item
  }
}
