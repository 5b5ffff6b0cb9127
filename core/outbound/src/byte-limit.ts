import { OutboundError } from './error.js'

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Limits the bytes of a body or, in a stream of events, of each event, which ends with an empty line. */
export class ByteLimit {
  private length = 0
  /** Bytes of the current line. */
  private lineLength = 0
  private lastByte = 0

  constructor(
    private readonly bytes: number,
    private readonly perEvent: boolean,
  ) {}

  /** @param length of the whole body, where the head announces it. @throws OutboundError, of the reason `too_large` */
  checkAnnounced(length: number | undefined): void {
    if (!this.perEvent && length !== undefined && length > this.bytes) throw this.tooLarge()
  }

  /** @throws OutboundError, of the reason `too_large` */
  count(chunk: Uint8Array): void {
    if (this.perEvent) for (const byte of chunk) this.countByte(byte)
    else this.add(chunk.length)
  }

  /** Lines end with LF, CR or both, as the HTML standard defines it for event streams. */
  private countByte(byte: number): void {
    const endsPair = byte === lineFeed && this.lastByte === carriageReturn
    this.lastByte = byte
    if (endsPair) return
    if (byte !== lineFeed && byte !== carriageReturn) this.lineLength += 1
    else if (this.lineLength > 0) this.lineLength = 0
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
