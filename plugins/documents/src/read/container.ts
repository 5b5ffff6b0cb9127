import { mainPart, parsedPart } from '../container/package.js'
import { childrenNamed } from '../container/xml.js'
import { Zip } from '../container/zip.js'
import { DocumentProblem } from '../problem.js'
import { archiveProblem } from './detect.js'
import type { Reader } from './source.js'

const readers = {
  docx: async () => (await import('./docx/index.js')).readDocx,
  xlsx: async () => (await import('./xlsx.js')).readXlsx,
  pptx: async () => (await import('./pptx/index.js')).readPptx,
  odf: async () => (await import('./odf/index.js')).readOdf,
  epub: async () => (await import('./epub.js')).readEpub,
}

/** Reads documents in ZIP containers, whose format their parts tell. */
export const readContainer: Reader = async (source) => {
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
  const type = contentTypeOf(zip, mainPart(zip) ?? '')
  for (const [pattern, format] of officeFormats) if (pattern.test(type)) return format
  throw new DocumentProblem(archiveProblem)
}

const officeFormats = [
  [/wordprocessingml|ms-word/, 'docx'],
  [/spreadsheetml|ms-excel/, 'xlsx'],
  [/presentationml|ms-powerpoint/, 'pptx'],
] as const

/** The content type of a part: its own, or else that of its extension. Names are case-insensitive. */
const contentTypeOf = (zip: Zip, part: string): string => {
  const types = parsedPart(zip, '[Content_Types].xml')
  const named = (kind: string, key: string, name: string) =>
    childrenNamed(types, kind).find(({ attributes }) => attributes[key]?.toLowerCase() === name.toLowerCase())
  const extension = part.slice(part.lastIndexOf('.') + 1)
  const found = named('Override', 'PartName', `/${part}`) ?? named('Default', 'Extension', extension)
  return found?.attributes['ContentType'] ?? ''
}
