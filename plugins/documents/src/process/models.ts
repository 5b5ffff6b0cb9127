/** Models of the server's process, used by one that reads documents. */

import type { Call, InferenceCapability, Served } from '@sallyport/core'
import type { PpOcrModels } from '../ocr/pp-ocr/pp-ocr-engine.js'

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
