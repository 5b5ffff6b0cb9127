import { setImmediate } from 'node:timers/promises'
import type { FileBytes } from '../file-bytes.js'

interface EbmlElement {
  readonly id: number
  /** Empty for containers. */
  readonly data: Buffer
}

/** Bytes of a value that is read: more is no packet of sound. */
const largest = 4 * 1024 * 1024

const inOneTurn = 1000

interface WantedElements {
  /** Ids of elements to look into. */
  readonly containers: ReadonlySet<number>
  /** Ids of elements to read; others are passed over. */
  readonly values: ReadonlySet<number>
}

/**
 * The elements of a file of the kind of Matroska, in order; containers are followed into their inside. Ends where the
 * file ends or makes no sense any more; the event loop turns meanwhile.
 * @param most elements to look at, those that are passed over included
 */
export async function* ebmlElements(
  file: FileBytes,
  { containers, values }: WantedElements,
  signal: AbortSignal,
  most = Infinity,
): AsyncGenerator<EbmlElement> {
  let position = 0
  for (let count = 0; position < file.size && count < most; count += 1) {
    if (count % inOneTurn === 0) await setImmediate()
    signal.throwIfAborted()
    const header = file.read(position, 12)
    const id = variable(header, 0, true)
    const size = id && variable(header, id.width, false)
    if (!id || !size) return
    const start = position + id.width + size.width
    if (containers.has(id.value)) {
      yield { id: id.value, data: Buffer.alloc(0) }
      position = start
      continue
    }
    if (size.unknown) return
    if (values.has(id.value) && size.value <= largest) yield { id: id.value, data: file.read(start, size.value) }
    position = start + size.value
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
