import { setImmediate } from 'node:timers/promises'
import type { FileBytes } from '../file-bytes.js'

interface EbmlElement {
  readonly id: number
  /** Empty for containers. */
  readonly data: Buffer
}

/** Larger values are not audio packets and are skipped. */
const maxValueBytes = 4 * 1024 * 1024

const elementsPerTurn = 1000

interface ElementFilter {
  /** Ids of elements whose children are read. */
  readonly containers: ReadonlySet<number>
  /** Ids of elements whose data is read; others are skipped. */
  readonly values: ReadonlySet<number>
}

/**
 * The elements of an EBML file (Matroska, WebM) in order, each container before its children. Ends at the end of the
 * file or at its first invalid element; yields to the event loop meanwhile.
 * @param maxElements how many elements to visit, including skipped ones
 */
export async function* ebmlElements(
  file: FileBytes,
  { containers, values }: ElementFilter,
  signal: AbortSignal,
  maxElements = Infinity,
): AsyncGenerator<EbmlElement> {
  let position = 0
  for (let count = 0; position < file.size && count < maxElements; count += 1) {
    if (count % elementsPerTurn === 0) await setImmediate()
    signal.throwIfAborted()
    const header = file.read(position, 12)
    const id = readVint(header, 0, true)
    const size = id && readVint(header, id.width)
    if (!id || !size) return
    const start = position + id.width + size.width
    if (containers.has(id.value)) {
      yield { id: id.value, data: Buffer.alloc(0) }
      position = start
      continue
    }
    if (size.unknown) return
    if (values.has(id.value) && size.value <= maxValueBytes) yield { id: id.value, data: file.read(start, size.value) }
    position = start + size.value
  }
}

/** An integer whose first bits give its length. @param keep whether these bits belong to the value, as in ids */
export const readVint = (bytes: Buffer, at: number, keep = false) => {
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
