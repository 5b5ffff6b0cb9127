/** Reads the central directory of a ZIP container. */

import { strFromU8 } from 'fflate'

export interface Entry {
  /** 0: stored; 8: deflated. */
  readonly method: number
  /** Uncompressed size in bytes, as declared. */
  readonly size: number
  /** The compressed bytes. */
  readonly packed: Uint8Array
}

const zip64Marker = 0xffff_ffff

/** The entries with their names. @throws where the directory is damaged */
export function* entriesOf(bytes: Uint8Array): Generator<readonly [name: string, entry: Entry]> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let { count, at } = locateDirectory(view)
  for (; count > 0; count--) {
    if (view.getUint32(at, true) !== 0x0201_4b50) throw new Error('an entry of the directory is damaged')
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => view.getUint16(at + field, true))
    const nameEnd = at + 46 + (nameLength ?? 0)
    const extraEnd = nameEnd + (extraLength ?? 0)
    const name = strFromU8(bytes.subarray(at + 46, nameEnd), !(view.getUint16(at + 8, true) & 0x800))
    const sizes = [24, 20, 42].map((field) => view.getUint32(at + field, true))
    const [size = 0, packed = 0, offset = 0] = zip64Sizes(view, sizes, nameEnd, extraEnd)
    const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true)
    yield [name, { method: view.getUint16(at + 10, true), size, packed: bytes.subarray(start, start + packed) }]
    at = extraEnd + (commentLength ?? 0)
  }
}

/** Finds the directory and the number of its entries. */
const locateDirectory = (view: DataView): { count: number; at: number } => {
  let end = view.byteLength - 22
  while (view.getUint32(end, true) !== 0x0605_4b50) {
    end -= 1
    if (view.byteLength - end > 65_558) throw new Error('the directory is missing')
  }
  const short = { count: view.getUint16(end + 8, true), at: view.getUint32(end + 16, true) }
  if (end < 20 || view.getUint32(end - 20, true) !== 0x0706_4b50) return short
  const long = view.getUint32(end - 12, true)
  if (view.getUint32(long, true) !== 0x0606_4b50) return short
  return { count: view.getUint32(long + 32, true), at: view.getUint32(long + 48, true) }
}

/** Takes numbers that do not fit into 32 bits from the extra field after the name, which has them in the same order. */
const zip64Sizes = (view: DataView, sizes: readonly number[], from: number, to: number): readonly number[] => {
  if (!sizes.includes(zip64Marker)) return sizes
  for (let at = from; at + 4 <= to; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue
    let next = at + 4
    return sizes.map((size) => (size === zip64Marker ? Number(view.getBigUint64((next += 8) - 8, true)) : size))
  }
  return sizes
}
