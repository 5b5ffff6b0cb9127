import { failure } from '@sallyport/core'
import type { InferenceSession, Tensor } from 'onnxruntime-node'
import type * as Library from 'onnxruntime-node'
import { FormatError } from '@sallyport/weights'

/** Tensors by their names in a graph. */
export type Tensors = Readonly<Record<string, Tensor>>

interface SessionOptions {
  /** The model's id. */
  readonly model: string
  /** A file's path, or the graph itself. */
  readonly graph: string | Uint8Array
  readonly threads: number
  /** The problem to report where onnxruntime refuses the graph. */
  readonly problem: string
}

/** An ONNX graph. A run blocks the event loop of this process, which belongs to the model. */
export class Session {
  private constructor(
    private readonly library: typeof Library,
    private readonly session: InferenceSession,
  ) {}

  /** @throws model_invalid */
  static async open({ model, graph, threads, problem }: SessionOptions): Promise<Session> {
    const library = await loadRuntime()
    const settings: InferenceSession.SessionOptions = {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      // the runtime would keep a plan for each input length
      enableMemPattern: false,
      // idle threads sleep, because they would spin longer than a step of the decoder takes
      extra: { session: { intra_op: { allow_spinning: '0' } } },
      // the runtime logs nothing, because failures are thrown
      logSeverityLevel: 4,
    }
    try {
      const { InferenceSession: Sessions } = library
      const session = typeof graph === 'string' ? Sessions.create(graph, settings) : Sessions.create(graph, settings)
      return new Session(library, await session)
    } catch (cause) {
      throw failure('model_invalid', { model, problem }, { cause })
    }
  }

  /** Shapes of the inputs by name, in the graph's order; -1 is a dynamic dimension. */
  get inputs(): ReadonlyMap<string, readonly number[]> {
    return shapesOf(this.session.inputMetadata)
  }

  /** The same for the outputs. */
  get outputs(): ReadonlyMap<string, readonly number[]> {
    return shapesOf(this.session.outputMetadata)
  }

  floats(values: Float32Array, ...shape: readonly number[]): Tensor {
    return new this.library.Tensor('float32', values, shape)
  }

  integers(values: readonly number[], ...shape: readonly number[]): Tensor {
    return new this.library.Tensor('int64', BigInt64Array.from(values, BigInt), shape)
  }

  /** @param outputs names of the outputs to compute; all by default */
  run(inputs: Tensors, outputs?: readonly string[]): Promise<Tensors> {
    return outputs ? this.session.run(inputs, outputs) : this.session.run(inputs)
  }

  release(): Promise<void> {
    return this.session.release()
  }
}

/** Reports a FormatError of the work as model_invalid. @param prefix of the message @throws model_invalid */
export const reportingFormatErrors = async <Value>(
  model: string,
  prefix: string,
  work: () => Promise<Value>,
): Promise<Value> => {
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof FormatError)) throw cause
    throw failure('model_invalid', { model, problem: `${prefix}${cause.message}` }, { cause })
  }
}

/** @throws Error where the tensor is not made of floats */
export const floatsOf = (tensor: Tensor | undefined): Float32Array => {
  if (tensor?.type !== 'float32') throw new Error('an output of the model is not made of floats')
  return tensor.data as Float32Array
}

/**
 * Imports onnxruntime with the first model, so that importing the plugin does not load it. The variable keeps its
 * packages from sending telemetry and leaving files behind (Privacy.md of onnxruntime); it must be set before.
 */
const loadRuntime = () => {
  process.env['ORT_DISABLE_TELEMETRY'] = '1'
  return import('onnxruntime-node')
}

const shapesOf = (values: readonly InferenceSession.ValueMetadata[]) =>
  new Map(
    values.map((value) => [
      value.name,
      value.isTensor ? value.shape.map((size) => (typeof size === 'number' ? size : -1)) : [],
    ]),
  )
