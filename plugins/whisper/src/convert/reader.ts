import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** A file that is read forwards, and never beyond its end. */
export class FileReader {
  private readonly descriptor: number
  readonly size: number
  position = 0

  constructor(path: string) {
    this.descriptor = openSync(path, 'r')
    this.size = fstatSync(this.descriptor).size
  }

  /** @throws FormatError where the file has fewer bytes left */
  bytes(length: number): Buffer {
    if (length > this.size - this.position) throw new FormatError('the file is cut off or damaged')
    const buffer = Buffer.alloc(length)
    for (let read = 0; read < length;) {
      const count = readSync(this.descriptor, buffer, read, length - read, this.position + read)
      if (count === 0) throw new FormatError('the file is cut off or damaged')
      read += count
    }
    this.position += length
    return buffer
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
}

/** What is wrong with a file of weights. */
export class FormatError extends Error {}
