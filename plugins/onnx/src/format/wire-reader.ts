import { FormatError } from '@sallyport/weights'
import type { ByteSource } from './source.js'

const truncated = () => new FormatError('the file is truncated or damaged')

const windowSize = 64 * 1024
/** The most bytes that a 64-bit varint takes. */
const maxVarintBytes = 10

/** Reads a protobuf message that may be larger than memory: parts that are skipped are never read. */
export class WireReader {
  position = 0
  private window: Uint8Array = new Uint8Array(0)
  private windowStart = 0

  constructor(private readonly source: ByteSource) {}

  /** A signed 64-bit number, exact up to 2^53. */
  varint(): number {
    const [first = 0] = this.bytes(1)
    if (first < 0x80) return first
    this.position--
    let value = 0n
    for (let index = 0; index < maxVarintBytes; index++) {
      const [byte = 0] = this.bytes(1)
      value |= BigInt(byte & 0x7f) << BigInt(7 * index)
      if (byte < 0x80) return Number(BigInt.asIntN(64, value))
    }
    throw truncated()
  }

  /** The length of the next field, checked against the end of the message around it. */
  length(end: number): number {
    const length = this.varint()
    if (length < 0 || this.position + length > end) throw truncated()
    return length
  }

  bytes(length: number): Uint8Array {
    const start = this.position - this.windowStart
    if (start < 0 || start + length > this.window.length) return this.refill(length)
    this.position += length
    return this.window.subarray(start, start + length)
  }

  private refill(length: number): Uint8Array {
    this.window = this.source.read(this.position, Math.max(length, windowSize))
    this.windowStart = this.position
    if (this.window.length < length) throw truncated()
    return this.bytes(length)
  }

  /** Skips a field. @param wireType the lowest three bits of the field's tag */
  skip(wireType: number, end: number): void {
    const length = this.lengthOf(wireType, end)
    this.position += length
    if (this.position > end) throw truncated()
  }

  private lengthOf(wireType: number, end: number): number {
    if (wireType === 1) return 8
    if (wireType === 2) return this.length(end)
    if (wireType === 5) return 4
    if (wireType !== 0) throw truncated()
    this.varint()
    return 0
  }
}
