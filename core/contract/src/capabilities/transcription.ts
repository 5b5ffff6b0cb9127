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
  /** Which times to report. */
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

/**
 * One segment of the transcript, which is the texts of all segments joined. A text that begins a word begins with white
 * space.
 */
export interface TranscribedSegment extends TranscribedWord {
  /** The words, whose texts joined are the segment's text. */
  words?: TranscribedWord[]
}

/** Each segment as soon as it is final and, last, the language and the duration of the file in seconds. */
export type TranscriptionChunk = { segment: TranscribedSegment } | { language: string; duration: number }

/** Transcribes speech. */
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
