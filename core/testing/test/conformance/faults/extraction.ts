import { truncate } from 'node:fs/promises'
import { extraction, failure, isSallyportError } from '@sallyport/core'
import type { ExtractedPart, ExtractionCapability, ExtractionResult } from '@sallyport/core'
import { references } from '../../reference/references.js'
import { plant } from '../plant.js'
import { answeredBy, askedOf, callFaults, calling } from './calls.js'

const changeResult = (change: (result: ExtractionResult) => Partial<ExtractionResult>) =>
  answeredBy<ExtractionCapability, 'extract'>('extract', (result) => ({ ...result, ...change(result) }))

const changeParts = (change: (parts: ExtractedPart[]) => ExtractedPart[]) =>
  changeResult(({ parts }) => ({ parts: change(parts) }))

/** Puts texts where no check looks. */
const hideTexts = ({ markup = '', text, ...part }: ExtractedPart): ExtractedPart => ({
  ...part,
  markup: markup + text,
  text: '',
})

export const extractionFaults = plant<ExtractionCapability>({
  capability: extraction,
  ...references.extraction,
  faults: {
    ...callFaults<ExtractionCapability, 'extract'>('extract', (result, times) => ({ ...result, title: `${times}` })),
    'the contents hold the text, and its words are counted': changeResult(({ words }) => ({ words: 10 * words })),
    'the title is the document’s own, else the file name': answeredBy('extract', (result, { fileName }) => ({
      ...result,
      title: fileName,
    })),
    'markdown keeps headings, text has no mark-up for them': askedOf('extract', (request) => ({
      ...request,
      format: request.format === 'text' ? 'markdown' : request.format,
    })),
    'html is escaped, json is JSON': changeParts((parts) => parts.map(hideTexts)),
    'the text is the same in every format, and its mark-up apart from it': changeParts((parts) => parts.map(hideTexts)),
    'the contents are the same in chunks': changeParts((parts) => (parts.length > 1 ? parts.slice(1) : parts)),
    'json is one chunk, whatever the size of chunks': changeParts((parts) =>
      parts.flatMap(({ text }) => (text.match(/[^]{1,100}/g) ?? []).map((part) => ({ text: part }))),
    ),
    'chunks do not end within a row of a table': changeParts((parts) =>
      (
        parts
          .map(({ text }) => text)
          .join('')
          .match(/[^]{1,100}/g) ?? []
      ).map((text) => ({ text })),
    ),
    'chunks keep to the size': askedOf('extract', ({ chunkSize, ...request }) => ({
      ...request,
      ...(chunkSize === undefined ? {} : { chunkSize: 2 * chunkSize }),
    })),
    'chunks know the headings above them': changeParts((parts) =>
      parts.map(({ headings = [], ...part }) => ({ ...part, headings: headings.slice(-1) })),
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
          return { title: request.fileName, headings: [], parts: [], words: 0 }
        }
      },
    ),
    'an empty file has no contents, or is refused with unsupported_media': changeParts((parts) =>
      parts.length ? parts : [{ text: 'undefined' }],
    ),
    'the file is left as it was': calling('extract', (inner) => async (request, call) => {
      const result = await inner(request, call)
      await truncate(request.file)
      return result
    }),
  },
})
