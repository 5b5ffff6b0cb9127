import { DocumentProblem } from '../problem.js'

type BinaryFormat = 'pdf' | 'zip' | 'ole' | 'rtf' | 'image'

const latin = (bytes: Uint8Array, from: number, to: number) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1', from, to)

/** Whether the file is an image of a supported format. */
export const isImage = (bytes: Uint8Array): boolean =>
  /^(\x89PNG\r\n\x1a\n|\xff\xd8\xff|RIFF[\s\S]{4}WEBP|II\*\0|MM\0\*|II\+\0|MM\0\+)/.test(latin(bytes, 0, 16))

/**
 * The format by the first bytes; undefined for text.
 * @throws DocumentProblem for known formats that are not supported
 */
export const detectFormat = (bytes: Uint8Array): BinaryFormat | undefined => {
  const start = latin(bytes, 0, 1024)
  if (/^[\s\S]{0,1019}%PDF-/.test(start)) return 'pdf'
  if (/^PK(\x03\x04|\x05\x06|\x07\x08)/.test(start)) return 'zip'
  if (start.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return 'ole'
  if (/^\s*\{\\rtf/.test(start)) return 'rtf'
  if (isImage(bytes)) return 'image'
  for (const [pattern, problem] of refusedFormats) if (pattern.test(start)) throw new DocumentProblem(problem)
  return undefined
}

export const archiveProblem = 'this is an archive: unpack it, and send the documents that are in it'
export const imageProblem = 'this image is of a format that is not read: save it as png, jpeg, webp or tiff'
const recordingProblem = 'this is a recording, and no document'

const refusedFormats: readonly (readonly [RegExp, string])[] = [
  [/^(\x1f\x8b|7z\xbc\xaf|Rar!|BZh\d|\xfd7zXZ|\x28\xb5\x2f\xfd)/, archiveProblem],
  [/^(GIF8|BM[\s\S]{4}\0\0\0\0|[\s\S]{4}ftyp(heic|heix|mif1|avif)|\0\0\0\x0cjP)/, imageProblem],
  [/^(ID3|OggS|fLaC|RIFF[\s\S]{4}(WAVE|AVI )|\x1aE\xdf\xa3|[\s\S]{4}ftyp)/, recordingProblem],
  [/^(\x7fELF|MZ[\s\S]{2}\0|\xca\xfe\xba\xbe|\0asm)/, 'this is a program, and no document'],
  [/^%!PS-Adobe/, 'this is PostScript: convert it to PDF'],
]
