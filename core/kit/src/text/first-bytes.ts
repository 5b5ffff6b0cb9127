/** The longest beginning of a text that fits into a number of bytes of UTF-8 and cuts no character. */
export const firstBytes = (text: string, maxBytes: number): string => {
  // No UTF-16 code unit takes more than three bytes.
  if (text.length * 3 <= maxBytes) return text
  const bytes = Buffer.from(text)
  if (bytes.length <= maxBytes) return text
  let end = maxBytes
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.toString('utf8', 0, end)
}
