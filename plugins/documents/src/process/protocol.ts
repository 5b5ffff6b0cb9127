/** What the processes that read documents and the one that started them say to each other. */

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
  /** What reads images of text. */
  readonly engine: 'tesseract' | 'pp-ocr'
}

export type ToParser =
  | ({ readonly type: 'parse' } & ParseJob)
  /** To `ask`. */
  | { readonly type: 'answer'; readonly value: unknown }

export type FromParser =
  /** The process works, and reads the document. */
  | { readonly type: 'begun' }
  /** An image of text is read, or was read: that time does not count. */
  | { readonly type: 'ocr'; readonly running: boolean }
  /** One at a time. */
  | { readonly type: 'ask'; readonly question: ModelQuestion }
  /** `memory`: bytes that the process has now. */
  | { readonly type: 'done'; readonly result: ExtractionResult; readonly memory: number }
  /** The document's fault: what is told to the caller, and what is for the log. */
  | { readonly type: 'refused'; readonly problem: string; readonly cause?: ErrorTrace; readonly memory: number }
  /** A failure of the plugin, for the log. */
  | { readonly type: 'failed'; readonly cause: ErrorTrace; readonly memory: number }

/** A model of the server’s process, which one that reads documents asks. */
type Model = Served<InferenceCapability>

export type ModelQuestion = { readonly model: keyof PpOcrModels } & (
  { readonly method: 'run'; readonly request: Parameters<Model['run']>[0] } | { readonly method: 'signature' }
)

/** In the process that reads. @param ask sends a question, and gives its answer */
export const remoteModels = (ask: (question: ModelQuestion) => Promise<unknown>): PpOcrModels => {
  const remote = (model: keyof PpOcrModels) => (): Model => ({
    run: (request) => ask({ model, method: 'run', request }) as ReturnType<Model['run']>,
    signature: () => ask({ model, method: 'signature' }) as ReturnType<Model['signature']>,
  })
  return { detector: remote('detector'), recogniser: remote('recogniser') }
}

/** In the server's. @throws what the model throws */
export const answerOf = async (models: PpOcrModels, question: ModelQuestion, call: Call): Promise<unknown> => {
  const model = models[question.model]()
  return question.method === 'run' ? model.run(question.request, call) : model.signature({}, call)
}
