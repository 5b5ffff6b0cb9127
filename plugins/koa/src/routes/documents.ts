import { extraction, failure } from '@sallyport/core'
import type { ExtractedPart, ExtractionResult } from '@sallyport/core'
import type { BodySchema, Schema } from '../body/schema.js'
import type { UploadedFile } from '../upload/receive.js'
import { json } from './answer.js'
import type { Answer } from './answer.js'
import type { Exchange } from './exchange.js'
import { defined } from './generation.js'
import { upload } from './route.js'
import type { Route } from './route.js'
import { answer, listOf, modelName, text } from './schemas/common.js'

const formats = ['markdown', 'text', 'html', 'json'] as const

interface DocumentBody {
  model?: string
  outputFormat?: (typeof formats)[number]
  embedImages?: boolean
  enableOCR?: boolean
  chunkDocument?: boolean
  chunkSize?: number
}

const request: BodySchema<DocumentBody> = {
  type: 'object',
  properties: {
    model: modelName,
    outputFormat: { type: 'string', enum: formats, default: 'markdown' },
    embedImages: { type: 'boolean', description: 'keep pictures as data URIs' },
    enableOCR: { type: 'boolean', description: 'read scanned pages and pictures' },
    chunkDocument: { type: 'boolean', description: 'split the contents by their structure, too' },
    chunkSize: { type: 'integer', minimum: 1, maximum: 1_000_000, default: 1000, description: 'characters of a chunk' },
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

const defaultSize = 1000

const handle = async (body: DocumentBody, file: UploadedFile, exchange: Exchange): Promise<Answer> => {
  const { outputFormat = 'markdown', chunkDocument = false, chunkSize = defaultSize } = body
  if (chunkDocument && outputFormat === 'json')
    throw failure('invalid_request', {
      field: 'chunkDocument',
      problem: 'a part of JSON is none: ask for markdown, text or html',
    })
  const { service } = exchange.choose(extraction, body.model)
  const result = await service.extract(
    {
      file: file.path,
      fileName: file.name,
      format: outputFormat,
      ...defined({ embedImages: body.embedImages, ocr: body.enableOCR }),
      ...(chunkDocument ? { chunkSize } : {}),
    },
    exchange.call(exchange.context.upload?.safeguards),
  )
  return json({
    title: result.title,
    contents: result.parts.map((part) => part.text).join(''),
    count: result.words,
    ...(chunkDocument ? { chunks: chunksOf(result) } : {}),
  })
}

/** Their places are counted here: what is replaced in a text moves what stands behind it. */
const chunksOf = ({ headings, parts }: ExtractionResult) => {
  let at = 0
  const placed = parts.map((part) => {
    const start = at
    at += lengthOf(part.text)
    const shown = part.text.trimEnd()
    return { part, text: shown, start, end: start + lengthOf(shown) }
  })
  return placed
    .filter(({ text: shown }) => shown)
    .map(({ part, ...chunk }, index) => ({
      index,
      ...chunk,
      ...defined({ page: part.page }),
      headings: headingsOf(part, headings),
    }))
}

const headingsOf = ({ headings: places = [] }: ExtractedPart, headings: readonly string[]): string[] =>
  places.flatMap((place) => headings[place] ?? [])

/** In Unicode code points. */
const lengthOf = (written: string): number => Array.from(written).length

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
