import { FormatError } from '@sallyport/weights'
import { withFile } from '../file-bytes.js'
import type { FileBytes } from '../file-bytes.js'

/** Reads a file forwards, and never beyond its end. */
export class FileReader {
  private position = 0

  constructor(private readonly file: FileBytes) {}

  get atEnd(): boolean {
    return this.position >= this.file.size
  }

  /** @throws FormatError where the file has fewer bytes left */
  bytes(length: number): Buffer {
    return readAt(this.file, this.skip(length), length)
  }

  /** Skips bytes and returns a function that reads them later. @throws FormatError as {@link bytes} */
  deferred(length: number): () => Buffer {
    const from = this.skip(length)
    const { path } = this.file
    return () => withFile(path, (file) => readAt(file, from, length))
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

  /** Skips bytes. @returns their offset */
  private skip(length: number): number {
    if (length > this.file.size - this.position) throw cutOff()
    const from = this.position
    this.position += length
    return from
  }
}

/** Copies the bytes to a buffer of their own, which typed arrays may share. */
const readAt = (file: FileBytes, from: number, length: number): Buffer => {
  const bytes = Buffer.from(new ArrayBuffer(length))
  if (file.read(from, length).copy(bytes) < length) throw cutOff()
  return bytes
}

const cutOff = () => new FormatError('the file is cut off or damaged')
