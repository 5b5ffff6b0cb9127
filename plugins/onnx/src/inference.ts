import type { Call, InferenceCapability } from '@sallyport/core'
import { oneAtATime } from './batching/one-at-a-time.js'
import type { Session } from './session/ort-session.js'

type Run = Parameters<InferenceCapability['run']>[0]

/** Runs the graph on plain tensors, which the session checks. There is one run at a time; tenants take turns. */
export class OnnxInference implements InferenceCapability {
  private readonly evaluate

  /** @param maxQueued the maximum number of runs that wait */
  constructor(
    private readonly session: Session,
    maxQueued: number,
  ) {
    this.evaluate = oneAtATime(maxQueued, ({ inputs, outputs }: Run) => session.run(inputs, outputs))
  }

  async run(request: Run, call: Call): ReturnType<InferenceCapability['run']> {
    const [outputs = {}] = await this.evaluate([request], call)
    return { outputs }
  }

  async signature(_: Record<never, never>, { signal }: Call): ReturnType<InferenceCapability['signature']> {
    await Promise.resolve()
    signal.throwIfAborted()
    const { inputs, outputs, metadata = {} } = this.session
    return { inputs: [...inputs], outputs: [...outputs], metadata: { ...metadata } }
  }
}
