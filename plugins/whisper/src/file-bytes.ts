import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'

const chunkSize = 64 * 1024

/**
 * Random access to a file. Reads are synchronous, because libuv's pool has one thread here, which the model occupies
 * for seconds.
 */
export class FileBytes {
  private readonly descriptor: number
  readonly size: number
  /** The last chunk that was read: headers lie near each other and are read one by one. */
  private last: { start: number; bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) }

  constructor(readonly path: string) {
    this.descriptor = openSync(path, 'r')
    this.size = fstatSync(this.descriptor).size
  }

  /** Returns fewer bytes at the end of the file. The caller must not write to them. */
  read(position: number, length: number): Buffer {
    if (length >= chunkSize) return this.readUncached(position, length)
    const { start, bytes } = this.last
    if (position < start || position + length > start + bytes.length)
      this.last = { start: position, bytes: this.readUncached(position, chunkSize) }
    const from = position - this.last.start
    return this.last.bytes.subarray(from, from + length)
  }

  private readUncached(position: number, length: number): Buffer {
    const buffer = Buffer.alloc(Math.max(0, Math.min(length, this.size - position)))
    let read = 0
    while (read < buffer.length) {
      const count = readSync(this.descriptor, buffer, read, buffer.length - read, position + read)
      if (count === 0) break
      read += count
    }
    return buffer.subarray(0, read)
  }

  /** Reads a range in chunks and yields to the event loop between them. */
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

/** Opens a file, and closes it after its use. */
export const withFile = <Value>(path: string, use: (file: FileBytes) => Value): Value => {
  const file = new FileBytes(path)
  try {
    return use(file)
  } finally {
    file.close()
  }
}

/** Opens a file, and closes it when its reader ends. */
export async function* streamFile<Value>(
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
