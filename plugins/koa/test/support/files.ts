/** Models of files with known answers. */

import { readFileSync } from 'node:fs'
import { failure } from '@sallyport/core'
import type { Call, ExtractionRequest, TranscriptionChunk, TranscriptionRequest } from '@sallyport/core'
import type { TestModel } from './kernel.js'

const word = (text: string, start: number, end: number, speaker?: string) => ({
  text,
  start,
  end,
  ...(speaker === undefined ? {} : { speaker }),
})

/** Says `Hello Ann. 4 <b>you</b> & me`, in two segments, whatever it hears. */
async function* heard(request: TranscriptionRequest, { signal }: Call): AsyncGenerator<TranscriptionChunk> {
  const { granularities = [], diarization = false, language = 'en' } = request
  if (language === 'tlh') throw failure('unsupported', { field: 'language', problem: 'the model knows no tlh' })
  const words = granularities.includes('word')
  const speakers = diarization ? ['SPEAKER_00', 'SPEAKER_01'] : []
  const first = [word('Hello', 0, 0.5, speakers[0]), word(' Ann.', 0.5, 1.25, speakers[0])]
  const second = [word(' 4', 1.25, 2, speakers[1]), word(' <b>you</b> & me', 3661, 3662.4567, speakers[1])]
  for (const parts of [first, second]) {
    await Promise.resolve()
    signal.throwIfAborted()
    const text = parts.map((part) => part.text).join('')
    yield {
      segment: { ...word(text, parts[0]!.start, parts[1]!.end, parts[0]!.speaker), ...(words ? { words: parts } : {}) },
    }
  }
  yield { language, duration: 3662.5 }
}

/** Requests as they reached it. */
export interface FileModel {
  readonly model: TestModel
  readonly heard: TranscriptionRequest[]
  readonly read: ExtractionRequest[]
  /** What the files held. */
  readonly contents: string[]
}

/** What stands before each line of a document, and behind the last one, in formats that have mark-up. */
const enclosures: Partial<Record<ExtractionRequest['format'], readonly [string, string]>> = {
  html: ['<p>', '</p>'],
  json: ['{"type":"line","text":"', '"}'],
}

/** Transcribes and extracts. A document is its text, of which each line is a part under the line before. */
export const fileModel = (): FileModel => {
  const model = { heard: [], read: [], contents: [] } as Omit<FileModel, 'model'>
  return {
    ...model,
    model: {
      id: 'reader',
      aliases: ['whisper-1'],
      services: {
        transcription: {
          stream: (request: TranscriptionRequest, call: Call) => {
            model.heard.push(request)
            model.contents.push(readFileSync(request.file, 'latin1'))
            return heard(request, call)
          },
        },
        extraction: {
          extract: async (request: ExtractionRequest, { signal }: Call) => {
            model.read.push(request)
            const text = readFileSync(request.file, 'utf8')
            model.contents.push(text)
            if (text === 'wait')
              await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
            const lines = text.split(/(?<=\n)/)
            const [open, close] = enclosures[request.format] ?? []
            return {
              title: request.fileName,
              headings: lines.map((line) => line.trim()),
              parts: lines.flatMap((line, at) => [
                {
                  ...(open === undefined ? {} : { markup: open }),
                  ...{ text: line, page: at + 1, headings: at ? [at - 1] : [] },
                },
                ...(close === undefined ? [] : [{ markup: close, text: '', continues: true }]),
              ]),
              words: text.split(/\s+/).length,
            }
          },
        },
      },
    },
  }
}
