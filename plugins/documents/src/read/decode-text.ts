import { analyse } from 'chardet'

/** Bytes of the sample by which the encoding is detected. */
const sampleBytes = 65_536

/** Decodes text of any encoding; undefined where the bytes are no text. */
export const decodeText = (bytes: Uint8Array, declared?: string): string | undefined => {
  const unmarked = () => (isUtf8(bytes) ? 'utf-8' : (utf16WithoutMark(bytes) ?? supported(declared) ?? guess(bytes)))
  const encoding = fromByteOrderMark(bytes) ?? unmarked()
  if (encoding === undefined) return undefined
  const text = new TextDecoder(encoding).decode(bytes)
  return looksLikeText(text) ? text.replace(/\r\n?/g, '\n') : undefined
}

const fromByteOrderMark = ([first, second, third]: Uint8Array): string | undefined => {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

const isUtf8 = (bytes: Uint8Array): boolean => {
  if (bytes.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** Detects UTF-16 without a byte order mark: in Latin text, most zero bytes are every other byte. */
const utf16WithoutMark = (bytes: Uint8Array): string | undefined => {
  const zeros = [0, 0]
  const size = Math.min(bytes.length, sampleBytes)
  for (let at = 0; at < size; at++) if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const min = size / 5
  if (odd > min && even * 20 < odd) return 'utf-16le'
  return even > min && odd * 20 < even ? 'utf-16be' : undefined
}

const supported = (label: string | undefined): string | undefined => {
  if (!label) return undefined
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}

const guess = (bytes: Uint8Array): string | undefined => {
  const sample = bytes.subarray(0, sampleBytes)
  return sample.includes(0) ? undefined : (supported(analyse(sample)[0]?.name) ?? 'windows-1252')
}

/** Whether the text has few control and replacement characters. */
const looksLikeText = (text: string): boolean => {
  const strange = (text.match(/[\0-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]/g) ?? []).length
  return strange * 100 <= text.length
}
