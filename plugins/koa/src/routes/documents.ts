import { countCodePoints } from '@sallyport/kit/text'
import { extraction } from '@sallyport/core'
import type { ExtractionResult } from '@sallyport/core'
import type { BodySchema, Schema } from '../schemas/schema.js'
import type { UploadedFile } from '../upload/receive.js'
import { characterEnd, slicesOf } from './answer.js'
import type { Answer } from './answer.js'
import type { Exchange } from './exchange.js'
import { omitUndefined } from './generation.js'
import { upload } from './body-routes.js'
import type { Route } from './route.js'
import { answer, listOf, modelNameOf, text } from '../schemas/common.js'
import { invalidField } from '../invalid-field.js'

const formats = ['markdown', 'text', 'html', 'json'] as const

interface DocumentBody {
  model?: string
  outputFormat?: (typeof formats)[number]
  embedImages?: boolean
  enableOCR?: boolean
  chunkDocument?: boolean
  chunkSize?: number
}

const defaultSize = 1000
/** Each chunk repeats its headings: smaller ones would be mostly that. */
const minChunkSize = 100

const request: BodySchema<DocumentBody> = {
  type: 'object',
  properties: {
    model: modelNameOf('document_extraction'),
    outputFormat: { type: 'string', enum: formats, default: 'markdown' },
    embedImages: { type: 'boolean', description: 'keep pictures as data URIs' },
    enableOCR: { type: 'boolean', description: 'read scanned pages and pictures' },
    chunkDocument: { type: 'boolean', description: 'split the contents by their structure, too' },
    chunkSize: {
      type: 'integer',
      minimum: minChunkSize,
      maximum: 1_000_000,
      default: defaultSize,
      description: 'characters of a chunk',
    },
  },
}

const position: Schema = { type: 'integer', description: 'in Unicode code points of the contents' }

const response = answer(
  {
    title: text,
    contents: text,
    count: { type: 'integer', description: 'words' },
    chunks: listOf(
      answer(
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

const handle = async (body: DocumentBody, file: UploadedFile, exchange: Exchange): Promise<Answer> => {
  const { outputFormat = 'markdown', chunkDocument = false, chunkSize = defaultSize } = body
  if (chunkDocument && outputFormat === 'json')
    throw invalidField('chunkDocument', 'a part of JSON is none: ask for markdown, text or html')
  const { service } = exchange.choose(extraction, body.model)
  const result = await service.extract(
    {
      file: file.path,
      fileName: file.name,
      format: outputFormat,
      ...omitUndefined({ embedImages: body.embedImages, ocr: body.enableOCR }),
      ...(chunkDocument ? { chunkSize } : {}),
    },
    exchange.call(),
  )
  return { kind: 'chunks', chunks: extractionJson(result, chunkDocument) }
}

/** JSON text of the answer. */
function* extractionJson(result: ExtractionResult, isChunked: boolean): Generator<string, void> {
  yield `{"title":${JSON.stringify(result.title)},"contents":"`
  for (const part of result.parts) for (const slice of slicesOf(part.text)) yield JSON.stringify(slice).slice(1, -1)
  yield `","count":${result.words}`
  if (isChunked) yield* chunks(result)
  yield '}'
}

/** Their places are counted here: what is replaced in a text moves what stands behind it. */
function* chunks({ headings, parts }: ExtractionResult): Generator<string, void> {
  let [index, at] = [0, 0]
  yield ',"chunks":['
  for (const { text: written, page, headings: places = [] } of parts) {
    const start = at
    at += countCodePoints(written)
    const shown = written.trimEnd()
    if (!shown) continue
    const chunk = {
      index,
      text: shown,
      start,
      end: start + countCodePoints(shown),
      ...omitUndefined({ page }),
      headings: places.map((place) => shortHeading(headings[place] ?? '')),
    }
    yield (index === 0 ? '' : ',') + JSON.stringify(chunk)
    index += 1
  }
  yield ']'
}

/** Characters of a heading in chunks, each of which repeats it. */
const maxHeadingLength = 200

const shortHeading = (heading: string): string =>
  heading.length > maxHeadingLength ? `${heading.slice(0, characterEnd(heading, maxHeadingLength - 1))}…` : heading

export const documentRoute: Route = upload<DocumentBody>({
  path: '/documents/extract',
  dialects: ['specification'],
  capability: extraction.name,
  tag: 'Documents',
  summary: 'Documents to text',
  file: { ...text, description: 'of any of the formats; its name is the title where the document has none' },
  request,
  response,
  fields: { format: 'outputFormat', ocr: 'enableOCR', fileName: 'file' },
  handle,
})
