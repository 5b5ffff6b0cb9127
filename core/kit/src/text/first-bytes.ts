/** The longest beginning of a text that takes so many bytes of UTF-8 at most and cuts no character. */
export const firstBytes = (text: string, most: number): string => {
  // no UTF-16 unit takes more than three
  if (text.length * 3 <= most) return text
  const bytes = Buffer.from(text)
  if (bytes.length <= most) return text
  let end = most
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.toString('utf8', 0, end)
}
