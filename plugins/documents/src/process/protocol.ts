/** Messages between the processes that read documents and their parent. */

import type {
  Call,
  ErrorTrace,
  ExtractionRequest,
  ExtractionResult,
  InferenceCapability,
  Served,
} from '@sallyport/core'
import type { PpOcrModels } from '../ocr/pp-ocr/pp-ocr-engine.js'
import type { Limits } from '../options.js'

export interface ParseJob {
  readonly request: ExtractionRequest
  readonly limits: Limits
  /** The OCR engine. */
  readonly engine: 'tesseract' | 'pp-ocr'
}

export type ToParser =
  | ({ readonly type: 'parse' } & ParseJob)
  /** The answer to `ask`. */
  | { readonly type: 'answer'; readonly value: unknown }

export type FromParser =
  /** The process has begun to read the document. */
  | { readonly type: 'begun' }
  /** OCR has begun or ended; its time does not count. */
  | { readonly type: 'ocr'; readonly running: boolean }
  /** A call of a model in the parent; there is one at a time. */
  | { readonly type: 'ask'; readonly question: ModelQuestion }
  /** The result; `memory` is what the process takes now, in bytes. */
  | { readonly type: 'done'; readonly result: ExtractionResult; readonly memory: number }
  /** The document cannot be read: the problem is for the caller, the cause for the log. */
  | { readonly type: 'refused'; readonly problem: string; readonly cause?: ErrorTrace; readonly memory: number }
  /** A failure of the plugin, for the log. */
  | { readonly type: 'failed'; readonly cause: ErrorTrace }

/** A model in the parent process. */
type Model = Served<InferenceCapability>

export type ModelQuestion = { readonly model: keyof PpOcrModels } & (
  { readonly method: 'run'; readonly request: Parameters<Model['run']>[0] } | { readonly method: 'signature' }
)

/** The models of PP-OCR as seen by the child process. @param ask calls a model in the parent */
export const remoteModels = (ask: (question: ModelQuestion) => Promise<unknown>): PpOcrModels => {
  const remote = (model: keyof PpOcrModels) => (): Model => ({
    run: (request) => ask({ model, method: 'run', request }) as ReturnType<Model['run']>,
    signature: () => ask({ model, method: 'signature' }) as ReturnType<Model['signature']>,
  })
  return { detector: remote('detector'), recogniser: remote('recogniser') }
}

/** Answers a call of the child in the parent process. @throws what the model throws */
export const answerOf = async (models: PpOcrModels, question: ModelQuestion, call: Call): Promise<unknown> => {
  const model = models[question.model]()
  return question.method === 'run' ? model.run(question.request, call) : model.signature({}, call)
}
