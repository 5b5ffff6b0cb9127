const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value
})

const encoder = new TextEncoder()

/** CRC-32 of the text in UTF-8. */
export const crc32 = (text: string): number => {
  let value = 0xffffffff
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    // What is no ASCII has several bytes: those are the encoder's to tell, and asking it costs more than all the rest.
    if (unit > 127) return ofBytes(encoder.encode(text))
    value = (table[(value ^ unit) & 255] ?? 0) ^ (value >>> 8)
  }
  return (value ^ 0xffffffff) >>> 0
}

const ofBytes = (bytes: Uint8Array): number => {
  let value = 0xffffffff
  for (const byte of bytes) value = (table[(value ^ byte) & 255] ?? 0) ^ (value >>> 8)
  return (value ^ 0xffffffff) >>> 0
}
