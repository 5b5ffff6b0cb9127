import { OutboundError } from './error.js'

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Holds a body to so many bytes, or each event of a stream, which ends with an empty line. */
export class ByteBound {
  private length = 0
  /** Bytes of the line so far. */
  private line = 0
  private last = 0

  constructor(
    private readonly bytes: number,
    private readonly perEvent: boolean,
  ) {}

  /** @throws OutboundError where the whole would be too large */
  announced(length: number | undefined): void {
    if (!this.perEvent && length !== undefined && length > this.bytes) throw this.tooLarge()
  }

  /** @throws OutboundError, of the reason `too_large` */
  take(chunk: Uint8Array): void {
    if (this.perEvent) for (const byte of chunk) this.takeByte(byte)
    else this.add(chunk.length)
  }

  /** Lines end with LF, CR or both, as the HTML standard has it for event streams. */
  private takeByte(byte: number): void {
    const second = byte === lineFeed && this.last === carriageReturn
    this.last = byte
    if (second) return
    if (byte !== lineFeed && byte !== carriageReturn) this.line += 1
    else if (this.line > 0) this.line = 0
    else this.length = 0
    this.add(1)
  }

  private add(bytes: number): void {
    this.length += bytes
    if (this.length > this.bytes) throw this.tooLarge()
  }

  private tooLarge(): OutboundError {
    return new OutboundError('too_large', `more than ${this.bytes} bytes`)
  }
}
