import { characterStart, countCodePoints } from '@sallyport/kit/text'
import { contentsOf, extraction } from '@sallyport/core'
import type { ExtractionRequest, ExtractionResult } from '@sallyport/core'
import type { BodyOf, Schema } from '../schemas/schema.js'
import type { UploadedFile } from '../upload/receive.js'
import { slicesOf } from './answer.js'
import type { Answer } from './answer.js'
import type { Exchange } from './exchange.js'
import { omitUndefined } from './generation.js'
import { upload } from './body-routes.js'
import type { Route } from './route.js'
import { objectOf, listOf, modelNameOf, text } from '../schemas/common.js'
import { invalidField } from '../invalid-field.js'

const defaultChunkSize = 1000
/** Each chunk repeats its headings: smaller ones would be mostly that. */
const minChunkSize = 100

const request = {
  type: 'object',
  properties: {
    model: modelNameOf('document_extraction'),
    outputFormat: { type: 'string', enum: ['markdown', 'text', 'html', 'json'], default: 'markdown' },
    embedImages: { type: 'boolean', description: 'keep images as data URIs' },
    enableOCR: { type: 'boolean', description: 'read scanned pages and images' },
    chunkDocument: { type: 'boolean', description: 'split the contents by their structure, too' },
    chunkSize: {
      type: 'integer',
      minimum: minChunkSize,
      maximum: 1_000_000,
      default: defaultChunkSize,
      description: 'characters of a chunk',
    },
  },
} as const

const position: Schema = { type: 'integer', description: 'in Unicode code points of the contents' }

const response = objectOf(
  {
    title: text,
    contents: text,
    count: { type: 'integer', description: 'words' },
    chunks: listOf(
      objectOf(
        {
          index: { type: 'integer' },
          text,
          start: position,
          end: position,
          page: { type: 'integer', minimum: 1 },
          headings: listOf(text),
        },
        ['page'],
      ),
    ),
  },
  ['chunks'],
)

const handle = async (body: BodyOf<typeof request>, file: UploadedFile, exchange: Exchange): Promise<Answer> => {
  const { outputFormat = 'markdown', chunkDocument = false, chunkSize = defaultChunkSize } = body
  if (chunkDocument && outputFormat === 'json')
    throw invalidField('chunkDocument', 'JSON output cannot be chunked: ask for markdown, text or html')
  const { service } = exchange.choose(extraction, body.model)
  const result = await service.extract(
    {
      file: file.path,
      fileName: file.name,
      format: outputFormat,
      ...omitUndefined({ embedImages: body.embedImages, ocr: body.enableOCR }),
      ...(chunkDocument ? { chunkSize } : {}),
    },
    exchange.callOptions(),
  )
  return { kind: 'chunks', chunks: extractionJson(result, outputFormat, chunkDocument) }
}

type Format = ExtractionRequest['format']

function* extractionJson(result: ExtractionResult, format: Format, isChunked: boolean): Generator<string, void> {
  yield `{"title":${JSON.stringify(result.title)},"contents":"`
  for (const part of result.parts)
    for (const slice of slicesOf(contentsOf(part, format))) yield JSON.stringify(slice).slice(1, -1)
  yield `","count":${result.words}`
  if (isChunked) yield* chunks(result, format)
  yield '}'
}

/** Counts the offsets of chunks here, because replacements by the safeguards shift all text after them. */
function* chunks({ headings, parts }: ExtractionResult, format: Format): Generator<string, void> {
  let [index, at] = [0, 0]
  yield ',"chunks":['
  for (const { content, page, headings: headingIndices = [] } of chunksIn(parts, format)) {
    const start = at
    at += countCodePoints(content)
    const shown = content.trimEnd()
    if (!shown) continue
    const chunk = {
      index,
      text: shown,
      start,
      end: start + countCodePoints(shown),
      ...omitUndefined({ page }),
      headings: headingIndices.map((headingIndex) => shortHeading(headings[headingIndex] ?? '')),
    }
    yield (index === 0 ? '' : ',') + JSON.stringify(chunk)
    index += 1
  }
  yield ']'
}

/** Each part that continues no other, with what the parts that continue it write. */
function* chunksIn(parts: ExtractionResult['parts'], format: Format) {
  for (let at = 0; at < parts.length;) {
    const [first, from] = [parts[at], at]
    do at += 1
    while (parts[at]?.continues)
    const content = parts.slice(from, at).map((part) => contentsOf(part, format))
    yield { ...first, content: content.join('') }
  }
}

/** Characters of a heading in chunks, each of which repeats it. */
const maxHeadingLength = 200

const shortHeading = (heading: string): string =>
  heading.length > maxHeadingLength ? `${heading.slice(0, characterStart(heading, maxHeadingLength - 1))}…` : heading

export const documentRoute: Route = upload({
  path: '/documents/extract',
  dialects: ['specification'],
  capability: extraction.name,
  tag: 'Documents',
  summary: 'Documents to text',
  file: {
    ...text,
    description: 'a document in any supported format; its file name becomes the title if the document has none',
  },
  request,
  response,
  fields: { format: 'outputFormat', ocr: 'enableOCR', fileName: 'file', parts: 'contents' },
  handle,
})
