import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { FormatError } from '@sallyport/weights'

/** A file that is read forwards, and never beyond its end. */
export class FileReader {
  private readonly descriptor: number
  private readonly size: number
  private position = 0

  constructor(private readonly path: string) {
    this.descriptor = openSync(path, 'r')
    this.size = fstatSync(this.descriptor).size
  }

  get atEnd(): boolean {
    return this.position >= this.size
  }

  /** @throws FormatError where the file has fewer bytes left */
  bytes(length: number): Buffer {
    const from = this.skip(length)
    return readAt(this.descriptor, from, length)
  }

  /** Passes over bytes; what is returned reads them when they are needed. @throws FormatError as {@link bytes} */
  later(length: number): () => Buffer {
    const from = this.skip(length)
    const { path } = this
    return () => {
      const descriptor = openSync(path, 'r')
      try {
        return readAt(descriptor, from, length)
      } finally {
        closeSync(descriptor)
      }
    }
  }

  uint8(): number {
    return this.bytes(1).readUInt8()
  }

  uint16(): number {
    return this.bytes(2).readUInt16LE()
  }

  uint32(): number {
    return this.bytes(4).readUInt32LE()
  }

  close(): void {
    closeSync(this.descriptor)
  }

  /** Where the bytes begin. */
  private skip(length: number): number {
    if (length > this.size - this.position) throw cutOff()
    const from = this.position
    this.position += length
    return from
  }
}

const readAt = (descriptor: number, from: number, length: number): Buffer => {
  // of its own memory, so that arrays of numbers may lie on it
  const buffer = Buffer.from(new ArrayBuffer(length))
  for (let read = 0; read < length;) {
    const count = readSync(descriptor, buffer, read, length - read, from + read)
    if (count === 0) throw cutOff()
    read += count
  }
  return buffer
}

const cutOff = () => new FormatError('the file is cut off or damaged')
