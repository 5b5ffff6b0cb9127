import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'

/** Bytes that are read at once. */
const chunkSize = 64 * 1024

/**
 * A file that is read at any place. Reads do not go through the pool of threads: that has one thread here, which the
 * model holds for seconds.
 */
export class FileBytes {
  private readonly descriptor: number
  readonly size: number
  /** What was read last: headers stand near each other, and are read one by one. */
  private last: { readonly start: number; readonly bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) }

  constructor(path: string) {
    this.descriptor = openSync(path, 'r')
    this.size = fstatSync(this.descriptor).size
  }

  /** Fewer bytes at the end of the file. They are not to be written to. */
  read(position: number, length: number): Buffer {
    if (length >= chunkSize) return this.readNow(position, length)
    const { start, bytes } = this.last
    if (position < start || position + length > start + bytes.length)
      this.last = { start: position, bytes: this.readNow(position, chunkSize) }
    const from = position - this.last.start
    return this.last.bytes.subarray(from, from + length)
  }

  private readNow(position: number, length: number): Buffer {
    const buffer = Buffer.alloc(Math.max(0, Math.min(length, this.size - position)))
    let read = 0
    while (read < buffer.length) {
      const count = readSync(this.descriptor, buffer, read, buffer.length - read, position + read)
      if (count === 0) break
      read += count
    }
    return buffer.subarray(0, read)
  }

  /** Reads from one place to another in chunks; the event loop turns between them. */
  async *chunks(signal: AbortSignal, from = 0, to = this.size, size = chunkSize): AsyncGenerator<Buffer> {
    const end = Math.min(to, this.size)
    for (let position = from; position < end;) {
      signal.throwIfAborted()
      const bytes = this.read(position, Math.min(size, end - position))
      if (bytes.length === 0) return
      yield bytes
      position += bytes.length
      await setImmediate()
    }
  }

  close(): void {
    closeSync(this.descriptor)
  }
}

/** Opens a file, and closes it when its reader is done. */
export async function* reading<Value>(
  path: string,
  read: (file: FileBytes) => AsyncIterable<Value>,
): AsyncGenerator<Value> {
  const file = new FileBytes(path)
  try {
    yield* read(file)
  } finally {
    file.close()
  }
}
