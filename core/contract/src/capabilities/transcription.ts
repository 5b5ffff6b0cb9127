import type { Call } from './call.js'
import { capability } from './capability.js'
import { opaque } from './fields.js'
import { list, oneOf } from './shape.js'

export interface TranscriptionRequest {
  /** Path of a temporary file that belongs to the request; its name says nothing about its content. */
  file: string
  /** ISO 639-1; detected when absent. */
  language?: string
  /** Text that the speech may continue, or names to expect. */
  prompt?: string
  /** 0 to 2. */
  temperature?: number
  /** Which times are asked for. */
  granularities?: ('segment' | 'word')[]
  /** Tell the speakers apart. */
  diarization?: boolean
}

export interface TranscribedWord {
  text: string
  /** Seconds from the beginning. */
  start: number
  end: number
  /** `SPEAKER_00`, `SPEAKER_01`, … */
  speaker?: string
}

/** The texts of all segments, joined as they are, are the transcript: what begins a new word begins with white space. */
export interface TranscribedSegment extends TranscribedWord {
  /** Their texts, joined, are that of the segment. */
  words?: TranscribedWord[]
}

/** A segment as soon as it is final, and last the whole file's language and length. */
export type TranscriptionChunk = { segment: TranscribedSegment } | { language: string; duration: number }

/** Speech becomes text. */
export interface TranscriptionCapability {
  /** @throws unsupported_media (not audio, or a format that needs an optional program), unsupported, overloaded. */
  stream(request: TranscriptionRequest, call: Call): AsyncIterable<TranscriptionChunk>
}

const times = { start: 'number', end: 'number', 'speaker?': opaque('a label made by the server') } as const

export const transcription = capability<TranscriptionCapability>()('transcription', {
  guarded: true,
  methods: {
    stream: {
      kind: 'stream',
      request: {
        file: opaque('a path made by the server'),
        'language?': opaque('checked against a list'),
        'prompt?': 'text',
        'temperature?': 'number',
        'granularities?': list(oneOf('segment', 'word')),
        'diarization?': 'boolean',
      },
      result: {
        'segment?': { ...times, text: 'delta', 'words?': list({ ...times, text: 'copy' }) },
        'language?': opaque('from a list'),
        'duration?': 'number',
      },
    },
  },
})
