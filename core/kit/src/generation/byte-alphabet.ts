/**
 * GPT-2's printable alphabet for bytes: printable Latin-1 characters stand for themselves, the others for the
 * characters from U+0100 on, in order (openai/gpt-2, `bytes_to_unicode`).
 */
export const byteOfCharacter: ReadonlyMap<string, number> = (() => {
  const isPrintable = (byte: number) =>
    (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || (byte >= 0xae && byte <= 0xff)
  const alphabet = new Map<string, number>()
  let next = 0x100
  for (let byte = 0; byte < 256; byte += 1) {
    alphabet.set(String.fromCodePoint(isPrintable(byte) ? byte : next), byte)
    if (!isPrintable(byte)) next += 1
  }
  return alphabet
})()
