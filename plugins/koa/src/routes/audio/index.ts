import { failure, loggable, transcription } from '@sallyport/core'
import type { TranscribedSegment, TranscriptionChunk, TranscriptionRequest } from '@sallyport/core'
import type { UploadedFile } from '../../upload/receive.js'
import { events, json, plain } from '../answer.js'
import type { Answer } from '../answer.js'
import type { Exchange } from '../exchange.js'
import { omitUndefined } from '../generation.js'
import { requireLanguage } from '../languages.js'
import { opaque } from '../../schemas/common.js'
import { upload } from '../body-routes.js'
import { modelIdsRoute } from '../route.js'
import type { Route } from '../route.js'
import { aliases, chunk, request, response } from './schemas.js'
import type { TranscriptionBody } from './schemas.js'
import { srt, vtt } from './subtitles.js'
import { invalidField } from '../../invalid-field.js'

const path = '/audio/transcriptions'

interface Transcript {
  readonly segments: readonly TranscribedSegment[]
  readonly language: string
  readonly duration: number
}

const handle = async (body: TranscriptionBody, file: UploadedFile, exchange: Exchange): Promise<Answer> => {
  refuseContradictions(body)
  const { service } = exchange.choose(transcription, body.model)
  const chunks = service.stream(requestOf(body, file), exchange.callOptions())
  if (body.stream) return events((lastEventFields) => eventsOf(chunks, body, lastEventFields))
  return transcriptAnswer(await collectTranscript(chunks), body)
}

/** @throws invalid_request */
const refuseContradictions = ({ response_format, timestamp_granularities, diarization, stream }: TranscriptionBody) => {
  const format = response_format ?? 'json'
  const field = diarization ? 'diarization' : timestamp_granularities?.length ? 'timestamp_granularities' : undefined
  if (field !== undefined && format !== 'verbose_json') throw invalidField(field, 'needs response_format verbose_json')
  if (stream && (format === 'srt' || format === 'vtt'))
    throw invalidField('stream', `${format} is a file: ask for json, verbose_json or text`)
}

const requestOf = (body: TranscriptionBody, { path: file }: UploadedFile): TranscriptionRequest => ({
  file,
  ...omitUndefined({
    language: languageOf(body.language),
    prompt: body.prompt,
    temperature: body.temperature,
    granularities: body.timestamp_granularities,
    diarization: body.diarization,
  }),
})

/** Strips the region and script, which models do not know. @throws invalid_request */
const languageOf = (name: string | undefined): string | undefined => {
  if (name === undefined || name.trim().toLowerCase() === 'auto') return undefined
  return requireLanguage(name, 'language').split('-')[0]
}

const collectTranscript = async (chunks: AsyncIterable<TranscriptionChunk>): Promise<Transcript> => {
  const segments: TranscribedSegment[] = []
  let end: Omit<Transcript, 'segments'> | undefined
  for await (const chunk of chunks)
    if ('segment' in chunk) segments.push(chunk.segment)
    else end = chunk
  if (!end) throw failure('internal', {}, { cause: loggable(new Error('the transcription has no end')) })
  return { segments, ...end }
}

const transcriptAnswer = (
  { segments, language, duration }: Transcript,
  { response_format, timestamp_granularities }: TranscriptionBody,
): Answer => {
  const text = textOf(segments)
  // A replacement is in the segment where the original began; later segments that it covered are empty.
  const spoken = segments.filter((segment) => segment.text.trim())
  switch (response_format ?? 'json') {
    case 'json':
      return json({ text })
    case 'text':
      return plain(`${text}\n`)
    case 'srt':
      return plain(srt(spoken))
    case 'vtt':
      return plain(vtt(spoken))
    case 'verbose_json': {
      const wanted = timestamp_granularities?.length ? timestamp_granularities : ['segment']
      return json({
        ...{ task: 'transcribe', language, duration, text },
        ...(wanted.includes('segment') ? { segments: spoken.map(wireSegment) } : {}),
        ...(wanted.includes('word') ? { words: spoken.flatMap(wireWords) } : {}),
      })
    }
  }
}

const textOf = (segments: readonly TranscribedSegment[]): string =>
  segments
    .map(({ text }) => text)
    .join('')
    .trim()

const wireSegment = ({ text, start, end, speaker }: TranscribedSegment, id: number) => ({
  id,
  text: text.trim(),
  start,
  end,
  ...omitUndefined({ speaker }),
})

const wireWords = ({ words = [] }: TranscribedSegment) =>
  words.map(({ text, start, end, speaker }) => {
    const word = text.trim()
    return { text: word, word, start, end, ...omitUndefined({ speaker }) }
  })

async function* eventsOf(
  chunks: AsyncIterable<TranscriptionChunk>,
  { response_format }: TranscriptionBody,
  lastEventFields: () => object,
): AsyncGenerator<object> {
  const segments: TranscribedSegment[] = []
  for await (const part of chunks) {
    if (!('segment' in part) || !part.segment.text) continue
    const { segment } = part
    const delta = segments.length ? segment.text : segment.text.trimStart()
    if (response_format === 'verbose_json')
      yield { type: 'transcript.text.segment', ...wireSegment(segment, segments.length) }
    segments.push(segment)
    yield { type: 'transcript.text.delta', delta }
  }
  yield { type: 'transcript.text.done', text: textOf(segments), ...lastEventFields() }
}

export const audioRoutes: readonly Route[] = [
  upload({
    path,
    capability: transcription.name,
    tag: 'Audio',
    summary: 'Speech to text',
    file: opaque('audio: neither the file name nor its content is inspected as text'),
    request,
    aliases,
    response,
    chunk,
    media: 'text/plain',
    fields: { granularities: 'timestamp_granularities' },
    handle,
  }),
  modelIdsRoute(path, transcription),
]
