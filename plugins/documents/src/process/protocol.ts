/** What the processes that read documents and the one that started them say to each other. */

import type { ErrorTrace, ExtractionRequest, ExtractionResult } from '@sallyport/core'
import type { Limits } from '../limits.js'
import type { ModelQuestion } from './models.js'

export interface ParseJob {
  readonly request: ExtractionRequest
  readonly limits: Limits
  /** What reads pictures of text. */
  readonly engine: 'tesseract' | 'pp-ocr'
}

export type ToParser =
  | ({ readonly type: 'parse' } & ParseJob)
  /** To `ask`. */
  | { readonly type: 'answer'; readonly value: unknown }

export type FromParser =
  /** The process works, and reads the document. */
  | { readonly type: 'begun' }
  /** A picture of text is read, or was read: that time does not count. */
  | { readonly type: 'ocr'; readonly running: boolean }
  /** One at a time. */
  | { readonly type: 'ask'; readonly question: ModelQuestion }
  /** `memory`: bytes that the process has now. */
  | { readonly type: 'done'; readonly result: ExtractionResult; readonly memory: number }
  /** The document's fault: what is told to the caller, and what is for the log. */
  | { readonly type: 'refused'; readonly problem: string; readonly cause?: ErrorTrace; readonly memory: number }
  /** Ours, for the log. */
  | { readonly type: 'failed'; readonly cause: ErrorTrace; readonly memory: number }
