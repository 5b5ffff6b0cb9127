import type { Call, InferenceCapability, Tensor } from '@sallyport/core'
import { Batcher } from './batching/batcher.js'
import type { Session } from './session/session.js'

type Run = Parameters<InferenceCapability['run']>[0]

/** Tensors in, tensors out, which the session checks; one run after the other, in turns between callers. */
export class OnnxInference implements InferenceCapability {
  private readonly runs: Batcher<Run, Record<string, Tensor>>

  /** @param queue runs that may wait */
  constructor(
    private readonly session: Session,
    queue: number,
  ) {
    this.runs = new Batcher<Run, Record<string, Tensor>>({
      tokens: 1,
      items: 1,
      queue,
      sizeOf: () => 1,
      evaluate: (runs) => Promise.all(runs.map(({ inputs, outputs }) => session.run(inputs, outputs))),
    })
  }

  async run(request: Run, call: Call): Promise<{ outputs: Record<string, Tensor> }> {
    const [outputs = {}] = await this.runs.run([request], call)
    return { outputs }
  }

  async signature(_: Record<never, never>, { signal }: Call): ReturnType<InferenceCapability['signature']> {
    await Promise.resolve()
    signal.throwIfAborted()
    const { inputs, outputs, metadata = {} } = this.session
    return { inputs: [...inputs], outputs: [...outputs], metadata: { ...metadata } }
  }
}
