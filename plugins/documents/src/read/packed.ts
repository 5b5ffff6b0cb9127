import { mainPart, parsedPart } from '../container/package.js'
import { childrenNamed } from '../container/xml.js'
import { Zip } from '../container/zip.js'
import { DocumentProblem } from '../problem.js'
import type { Reader } from './source.js'

const readers = {
  docx: async () => (await import('./docx/index.js')).readDocx,
  xlsx: async () => (await import('./xlsx.js')).readXlsx,
  pptx: async () => (await import('./pptx/index.js')).readPptx,
  odf: async () => (await import('./odf/index.js')).readOdf,
  epub: async () => (await import('./epub.js')).readEpub,
}

/** Reads documents in ZIP containers; their parts tell the format. */
export const readPacked: Reader = async (source) => {
  const zip = new Zip(source.bytes, source.limits, source.elements)
  return (await readers[formatOf(zip)]())(source, zip)
}

const formatOf = (zip: Zip): keyof typeof readers => {
  const kind = zip.text('mimetype')?.trim() ?? ''
  if (kind === 'application/epub+zip' || zip.has('META-INF/container.xml')) {
    if (zip.has('META-INF/rights.xml'))
      throw new DocumentProblem('this book is protected against copying, so that it cannot be read')
    return 'epub'
  }
  if (kind.startsWith('application/vnd.oasis.opendocument.')) {
    if (/<manifest:encryption-data|<encryption-data/.test(zip.text('META-INF/manifest.xml') ?? ''))
      throw new DocumentProblem('it is protected with a password: save it without one')
    return 'odf'
  }
  const main = mainPart(zip)
  const [, office] = officeFormats.find(([pattern]) => pattern.test(typeOf(zip, main ?? ''))) ?? []
  if (office) return office
  throw new DocumentProblem('this is an archive: unpack it, and send the documents that are in it')
}

const officeFormats = [
  [/wordprocessingml|ms-word/, 'docx'],
  [/spreadsheetml|ms-excel/, 'xlsx'],
  [/presentationml|ms-powerpoint/, 'pptx'],
] as const

/**
 * The content type of a part: that of the part itself, or else of its extension. Names are case-insensitive.
 */
const typeOf = (zip: Zip, part: string): string => {
  const types = parsedPart(zip, '[Content_Types].xml')
  const named = (kind: string, key: string, name: string) =>
    childrenNamed(types, kind).find(({ attributes }) => attributes[key]?.toLowerCase() === name.toLowerCase())
  const found =
    named('Override', 'PartName', `/${part}`) ?? named('Default', 'Extension', part.slice(part.lastIndexOf('.') + 1))
  return found?.attributes['ContentType'] ?? ''
}
