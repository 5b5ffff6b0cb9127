import { failure } from '@sallyport/core'
import type { InferenceSession, Tensor } from 'onnxruntime-node'
import type * as Library from 'onnxruntime-node'
import { loadRuntime } from '../onnxruntime.js'

/** Numbers in row-major order. */
export interface Numbers {
  readonly shape: readonly number[]
  readonly data: Float32Array
}

/** A graph of ONNX, with numbers in and out. */
export class Session {
  private constructor(
    private readonly library: typeof Library,
    private readonly session: InferenceSession,
  ) {}

  /**
   * @param graph a file's path, or the graph itself
   * @param what it is, for the message of an error
   * @throws model_invalid
   */
  static async load(model: string, what: string, graph: string | Uint8Array, threads: number): Promise<Session> {
    const library = await loadRuntime()
    const options: InferenceSession.SessionOptions = {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      logSeverityLevel: 4,
    }
    try {
      const { InferenceSession: Sessions } = library
      const session = typeof graph === 'string' ? Sessions.create(graph, options) : Sessions.create(graph, options)
      return new Session(library, await session)
    } catch (cause) {
      throw failure('model_invalid', { model, problem: `${what} cannot be read by onnxruntime` }, { cause })
    }
  }

  /** Shapes of the tensors by their names, in order; −1 is a free size. */
  get inputs(): ReadonlyMap<string, readonly number[]> {
    return shapes(this.session.inputMetadata)
  }

  get outputs(): ReadonlyMap<string, readonly number[]> {
    return shapes(this.session.outputMetadata)
  }

  /** @param lengths inputs of one 64-bit integer */
  async run(
    inputs: Readonly<Record<string, Numbers>>,
    output: string,
    lengths: Readonly<Record<string, number>> = {},
  ): Promise<Numbers> {
    const { Tensor: TensorOf } = this.library
    const feeds: Record<string, Tensor> = {}
    for (const [name, { shape, data }] of Object.entries(inputs)) feeds[name] = new TensorOf('float32', data, shape)
    for (const [name, length] of Object.entries(lengths))
      feeds[name] = new TensorOf('int64', BigInt64Array.of(BigInt(length)), [1])
    const { [output]: result } = await this.session.run(feeds, [output])
    if (result?.type !== 'float32') throw new Error(`the output ${output} is not made of floats`)
    return { shape: result.dims, data: result.data as Float32Array }
  }

  release(): Promise<void> {
    return this.session.release()
  }
}

const shapes = (values: readonly InferenceSession.ValueMetadata[]) =>
  new Map(
    values.map((value) => [
      value.name,
      value.isTensor ? value.shape.map((size) => (typeof size === 'number' ? size : -1)) : [],
    ]),
  )

/** Equally long rows, one after the other. */
export const rowsOf = (parts: readonly Float32Array[]): Numbers => {
  const length = parts[0]?.length ?? 0
  const data = new Float32Array(parts.length * length)
  parts.forEach((part, index) => data.set(part, index * length))
  return { shape: [parts.length, length], data }
}
