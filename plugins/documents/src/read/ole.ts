import { DocumentProblem } from '../problem.js'
import type { Reader } from './source.js'

/** Reads mails of Outlook, and refuses old Office files; names in the directory tell which it is. */
export const readOle: Reader = async (source) => {
  const { bytes } = source
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const has = (name: string) => file.includes(Buffer.from(name, 'utf16le'))
  if (has('EncryptedPackage')) throw new DocumentProblem('it is protected with a password: save it without one')
  if (has('__properties_version1.0')) return (await import('./msg.js')).readMsg(source)
  for (const [name, kind, better] of oldFormats)
    if (has(name)) throw new DocumentProblem(`this is a file of old ${kind}: save it as ${better}`)
  throw new DocumentProblem('this is a container of no kind that is read: save the document as docx, xlsx, pptx or PDF')
}

const oldFormats = [
  ['WordDocument', 'Word', 'docx'],
  ['Workbook', 'Excel', 'xlsx'],
  ['PowerPoint Document', 'PowerPoint', 'pptx'],
] as const
