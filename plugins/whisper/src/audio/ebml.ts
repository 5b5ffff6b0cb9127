import { setImmediate } from 'node:timers/promises'
import type { FileBytes } from './file-bytes.js'

export interface EbmlElement {
  readonly id: number
  /** Empty for containers. */
  readonly data: Buffer
}

/** Bytes of a value that is read: more is no packet of sound. */
const largest = 4 * 1024 * 1024

const inOneTurn = 1000

/** Reads the elements of a file of the kind of Matroska, in order; containers are followed into their inside. */
export class EbmlReader {
  /**
   * @param containers ids of elements to look into
   * @param values ids of elements to read; others are passed over
   */
  constructor(
    private readonly file: FileBytes,
    private readonly containers: ReadonlySet<number>,
    private readonly values: ReadonlySet<number>,
  ) {}

  /**
   * Ends where the file ends or makes no sense any more. The event loop turns between so many.
   * @param most elements to look at, those that are passed over included
   */
  async *elements(signal: AbortSignal, most = Infinity): AsyncGenerator<EbmlElement> {
    let position = 0
    for (let count = 0; position < this.file.size && count < most; count += 1) {
      if (count % inOneTurn === 0) await setImmediate()
      signal.throwIfAborted()
      const header = this.file.read(position, 12)
      const id = variable(header, 0, true)
      const size = id && variable(header, id.width, false)
      if (!id || !size) return
      const start = position + id.width + size.width
      if (this.containers.has(id.value)) {
        yield { id: id.value, data: Buffer.alloc(0) }
        position = start
        continue
      }
      if (size.unknown) return
      if (this.values.has(id.value) && size.value <= largest)
        yield { id: id.value, data: this.file.read(start, size.value) }
      position = start + size.value
    }
  }
}

/** A number whose first bits say its length; ids keep them. */
const variable = (bytes: Buffer, at: number, keep: boolean) => {
  const first = bytes[at] ?? 0
  const width = Math.clz32(first) - 23
  if (width < 1 || width > (keep ? 4 : 8) || at + width > bytes.length) return undefined
  let value = keep ? first : first & (0xff >> width)
  let unknown = !keep && value === 0xff >> width
  for (let index = 1; index < width; index += 1) {
    const byte = bytes[at + index] ?? 0
    value = value * 256 + byte
    unknown &&= byte === 0xff
  }
  return { value, width, unknown }
}
