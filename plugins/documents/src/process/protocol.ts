/** What the processes that read documents and the one that started them say to each other. */

import type { ExtractionRequest, ExtractionResult } from '@sallyport/core'
import type { Limits } from '../limits.js'
import type { OcrLine, Raster } from '../ocr/engine.js'

export interface ParseJob {
  readonly request: ExtractionRequest
  readonly limits: Limits
}

export type ToParser =
  ({ readonly type: 'parse' } & ParseJob) | { readonly type: 'lines'; readonly lines: readonly OcrLine[] }

export type FromParser =
  /** Ready for the first document. */
  | { readonly type: 'ready' }
  /** A picture of text; the answer is `lines`. */
  | { readonly type: 'picture'; readonly picture: Raster }
  /** `memory`: bytes that the process has now. */
  | { readonly type: 'done'; readonly result: ExtractionResult; readonly memory: number }
  /** The document's fault: what is told to the caller, and what is for the log. */
  | { readonly type: 'refused'; readonly problem: string; readonly cause?: string; readonly memory: number }
  /** Ours, for the log. */
  | { readonly type: 'failed'; readonly cause: string; readonly memory: number }
