import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

const chunkBytes = 1 << 20

/** Damage in a GGUF file; the message says what is wrong and is safe to show. */
export class GgufError extends Error {
  override readonly name = 'GgufError'
}

/** Reads a file forward through a small window: memory stays bounded, whatever sizes the file claims. */
export class FileWindow {
  readonly size: number
  private readonly file: number
  private buffer = Buffer.alloc(0)
  /** Where the buffer starts in the file. */
  private start = 0
  private cursor = 0

  constructor(path: string) {
    this.file = openSync(path, 'r')
    this.size = fstatSync(this.file).size
  }

  /** Bytes from the beginning of the file to the next one to read. */
  get position(): number {
    return this.start + this.cursor
  }

  get remaining(): number {
    return this.size - this.position
  }

  close(): void {
    closeSync(this.file)
  }

  u8 = () => this.take(1).readUInt8(0)
  i8 = () => this.take(1).readInt8(0)
  u16 = () => this.take(2).readUInt16LE(0)
  i16 = () => this.take(2).readInt16LE(0)
  u32 = () => this.take(4).readUInt32LE(0)
  i32 = () => this.take(4).readInt32LE(0)
  f32 = () => this.take(4).readFloatLE(0)
  u64 = () => this.take(8).readBigUInt64LE(0)
  i64 = () => this.take(8).readBigInt64LE(0)
  f64 = () => this.take(8).readDoubleLE(0)

  /** The next bytes, which are valid until the next read. */
  take(bytes: number): Buffer {
    this.ensure(bytes)
    const slice = this.buffer.subarray(this.cursor, this.cursor + bytes)
    this.cursor += bytes
    return slice
  }

  skip(bytes: number): void {
    if (bytes > this.remaining) throw truncated()
    this.cursor += bytes
    if (this.cursor <= this.buffer.length) return
    this.start += this.cursor
    this.cursor = 0
    this.buffer = Buffer.alloc(0)
  }

  private ensure(bytes: number): void {
    if (this.cursor + bytes <= this.buffer.length) return
    if (bytes > this.remaining) throw truncated()
    const left = this.buffer.subarray(this.cursor)
    this.start += this.cursor
    this.cursor = 0
    const wanted = Math.min(Math.max(bytes, chunkBytes), this.size - this.start)
    const next = Buffer.allocUnsafe(wanted)
    left.copy(next)
    let filled = left.length
    while (filled < wanted) {
      const read = readSync(this.file, next, filled, wanted - filled, this.start + filled)
      if (read === 0) throw truncated()
      filled += read
    }
    this.buffer = next
  }
}

const truncated = () => new GgufError('the file ends in the middle of its header: it is truncated')
