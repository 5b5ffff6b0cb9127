/** The form and the answers of transcription. */

import { language } from '../languages.js'
import type { BodyOf, Schema } from '../../schemas/schema.js'
import { objectOf, listOf, modelName, opaque, text } from '../../schemas/common.js'

export const request = {
  type: 'object',
  required: ['model'],
  properties: {
    model: modelName,
    language: {
      ...language,
      description: 'ISO 639-1 or 639-3 code, BCP-47 tag or English name; absent or auto: it is detected',
    },
    prompt: { ...text, description: 'what the speech may continue, or names to expect' },
    temperature: { type: 'number', minimum: 0, maximum: 2 },
    timestamp_granularities: {
      type: 'array',
      items: { type: 'string', enum: ['segment', 'word'] },
      description: 'which timestamps to return; with verbose_json',
    },
    diarization: { type: 'boolean', description: 'tell the speakers apart; with verbose_json' },
    response_format: { type: 'string', enum: ['json', 'verbose_json', 'text', 'srt', 'vtt'], default: 'json' },
    stream: { type: 'boolean', description: 'send server-sent events; with json, verbose_json or text' },
  },
} as const

export type TranscriptionBody = BodyOf<typeof request>

/** Other spellings of fields. */
export const aliases = { timestamps_granularities: 'timestamp_granularities' } as const

const seconds: Schema = { type: 'number', minimum: 0 }
const timestamps = { start: seconds, end: seconds, speaker: opaque('a label made by the server') }
const segment = { id: { type: 'integer' }, text, ...timestamps }

export const response: Schema = objectOf(
  {
    text,
    task: { type: 'string', enum: ['transcribe'] },
    language: opaque('from a list'),
    duration: seconds,
    segments: listOf(objectOf(segment, ['speaker'])),
    words: listOf(objectOf({ text, word: text, ...timestamps }, ['speaker'])),
  },
  ['task', 'language', 'duration', 'segments', 'words'],
)

/** Stream events as in https://platform.openai.com/docs/api-reference/audio/transcript-text-delta-event. */
export const chunk: Schema = objectOf(
  {
    type: { type: 'string', enum: ['transcript.text.delta', 'transcript.text.segment', 'transcript.text.done'] },
    delta: text,
    ...segment,
  },
  ['delta', ...Object.keys(segment)],
)
