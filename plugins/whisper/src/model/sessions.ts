import { dirname } from 'node:path'
import { failure } from '@sallyport/core'
import type { InferenceSession } from 'onnxruntime-node'
import type * as Library from 'onnxruntime-node'
import { loadRuntime } from '../onnxruntime.js'

/** What runs a model's graphs. Runs hold the event loop of this process, which is the model's own. */
export interface Sessions {
  readonly library: typeof Library
  readonly encoder: InferenceSession
  readonly decoder: InferenceSession
}

/** @throws model_invalid */
export const openSessions = async (
  model: string,
  paths: { readonly encoder: string; readonly decoder: string },
  threads: number,
): Promise<Sessions> => {
  const library = await loadRuntime()
  const settings: InferenceSession.SessionOptions = {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // it would keep a plan for each length that there is
    enableMemPattern: false,
    // threads that have nothing to do sleep: a step of the decoder is shorter than they would wait
    extra: { session: { intra_op: { allow_spinning: '0' } } },
    // nothing: what fails is thrown
    logSeverityLevel: 4,
  }
  try {
    const encoder = await library.InferenceSession.create(paths.encoder, settings)
    return { library, encoder, decoder: await library.InferenceSession.create(paths.decoder, settings) }
  } catch (cause) {
    const problem = `onnxruntime cannot load what was made of its weights: remove the folder ${dirname(paths.encoder)}`
    throw failure('model_invalid', { model, problem }, { cause })
  }
}
