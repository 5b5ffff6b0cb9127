import { truncate } from 'node:fs/promises'
import { extraction } from '../../../src/capabilities/index.js'
import type { ExtractedChunk, ExtractionCapability, ExtractionResult } from '../../../src/capabilities/index.js'
import { failure, isSallyportError } from '../../../src/errors/index.js'
import { references } from '../../reference/references.js'
import { plant } from '../plant.js'
import { answeredBy, askedOf, callFaults, calling } from './calls.js'

const changeResult = (change: (result: ExtractionResult) => Partial<ExtractionResult>) =>
  answeredBy<ExtractionCapability, 'extract'>('extract', (result) => ({ ...result, ...change(result) }))

const changeChunks = (change: (chunks: ExtractedChunk[], contents: string) => ExtractedChunk[]) =>
  changeResult(({ chunks, contents }) => (chunks ? { chunks: change(chunks, contents) } : {}))

export const extractionFaults = plant<ExtractionCapability>({
  capability: extraction,
  ...references.extraction,
  faults: {
    ...callFaults<ExtractionCapability, 'extract'>('extract', (result, times) => ({ ...result, title: `${times}` })),
    'the contents hold the text, and its words are counted': changeResult(({ contents }) => ({
      words: contents.length,
    })),
    'the title is the document’s own, else the file name': answeredBy('extract', (result, { fileName }) => ({
      ...result,
      title: fileName,
    })),
    'markdown keeps headings, text has no mark-up for them': askedOf('extract', (request) => ({
      ...request,
      format: request.format === 'text' ? 'markdown' : request.format,
    })),
    'html is escaped, json is JSON': changeResult(({ contents }) => ({ contents: contents.replaceAll('&lt;', '<') })),
    'chunks come only when asked for': askedOf('extract', (request) => ({ chunkSize: 1000, ...request })),
    'chunks are the spans of the contents that they say, in code points': changeChunks((chunks, contents) =>
      chunks.map((chunk) => {
        const start = contents.indexOf(chunk.text)
        return { ...chunk, start, end: start + chunk.text.length }
      }),
    ),
    'chunks keep to the size, follow each other and leave nothing out': changeChunks((chunks) => chunks.slice(1)),
    'chunks know the headings above them': changeChunks((chunks) =>
      chunks.map(({ headings, ...chunk }) => ({ ...chunk, headings: headings.slice(-1) })),
    ),
    'the content decides about the format, not the name': calling('extract', (inner) => async (request, call) => {
      if (request.fileName.endsWith('.pdf')) throw failure('unsupported_media', { problem: 'this is no PDF' })
      return inner(request, call)
    }),
    'unknown and broken files are refused with unsupported_media': calling(
      'extract',
      (inner) => async (request, call) => {
        try {
          return await inner(request, call)
        } catch (error) {
          if (!isSallyportError(error)) throw error
          return { title: request.fileName, contents: '', words: 0 }
        }
      },
    ),
    'an empty file has no contents, or is refused with unsupported_media': changeResult(({ contents }) => ({
      contents: contents || 'undefined',
    })),
    'the file is left as it was': calling('extract', (inner) => async (request, call) => {
      const result = await inner(request, call)
      await truncate(request.file)
      return result
    }),
  },
})
