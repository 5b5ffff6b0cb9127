const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value
})

/** CRC-32 that still grows, before its first byte. */
export const crcOfNothing = 0xffffffff

/** … with one byte more. */
export const crcWith = (crc: number, byte: number): number => (table[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8)

/** The CRC-32 of all bytes that there were. */
export const crcOf = (crc: number): number => (crc ^ 0xffffffff) >>> 0
