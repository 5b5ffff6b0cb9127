import type { Tensor, TensorSignature } from '@sallyport/core'
import { failure } from '@sallyport/core'
import type * as Library from 'onnxruntime-node'
import type { InferenceSession } from 'onnxruntime-node'
import { checkRun } from './check-run.js'
import type { Signature } from './check-run.js'
import { fromOrt, toOrt, typeOfOrt } from './tensor-types.js'
import { threadCount } from './threads.js'

/**
 * A loaded ONNX model. Runs are synchronous in the native library: they block the event loop of this process, which is
 * the model's own.
 */
export interface Session extends Signature {
  /** The metadata of the file; absent where it was not read. */
  readonly metadata?: Readonly<Record<string, string>>
  /** One evaluation; all outputs unless some are named. @throws invalid_request (names or shapes that do not fit) */
  run(inputs: Readonly<Record<string, Tensor>>, outputs?: readonly string[]): Promise<Record<string, Tensor>>
  release(): Promise<void>
}

export interface SessionOptions {
  /** Default: the physical cores that this process may use. */
  readonly threads?: number
  readonly optimization: 'disabled' | 'basic' | 'extended' | 'all'
  readonly executionProvider: 'cpu' | 'cuda' | 'coreml' | 'dml'
}

/** A model in onnxruntime. Files must have been inspected before: see `inspect.ts`. */
export class OrtSession implements Session {
  private constructor(
    private readonly library: typeof Library,
    private readonly session: InferenceSession,
    readonly inputs: readonly TensorSignature[],
    readonly outputs: readonly TensorSignature[],
    readonly metadata: Readonly<Record<string, string>>,
  ) {}

  /** @param source path, or the bytes of a file @throws model_invalid */
  static async load(
    model: string,
    source: string | Uint8Array,
    options: SessionOptions,
    metadata: Readonly<Record<string, string>> = {},
  ): Promise<OrtSession> {
    const library = await loadRuntime()
    const session = await create(library, model, source, options)
    try {
      return new OrtSession(
        library,
        session,
        signatures(model, 'input', session.inputMetadata),
        signatures(model, 'output', session.outputMetadata),
        metadata,
      )
    } catch (error) {
      await session.release()
      throw error
    }
  }

  async run(inputs: Readonly<Record<string, Tensor>>, outputs?: readonly string[]): Promise<Record<string, Tensor>> {
    checkRun(this, inputs, outputs)
    const { Tensor: create } = this.library
    const feeds = Object.fromEntries(Object.entries(inputs).map(([name, tensor]) => [name, toOrt(tensor, create)]))
    const fetches = outputs ?? this.outputs.map(({ name }) => name)
    const results = await this.session.run(feeds, fetches)
    return Object.fromEntries(Object.entries(results).map(([name, tensor]) => [name, fromOrt(tensor)]))
  }

  release(): Promise<void> {
    return this.session.release()
  }
}

const create = async (
  { InferenceSession }: typeof Library,
  model: string,
  source: string | Uint8Array,
  options: SessionOptions,
) => {
  const { executionProvider } = options
  const settings: InferenceSession.SessionOptions = {
    intraOpNumThreads: threadCount(options.threads),
    interOpNumThreads: 1,
    graphOptimizationLevel: options.optimization,
    executionProviders: executionProvider === 'cpu' ? ['cpu'] : [executionProvider, 'cpu'],
    // Nothing is logged: errors are thrown, and the warnings (nodes of another provider, unused weights) help nobody.
    logSeverityLevel: 4,
  }
  try {
    return await (typeof source === 'string'
      ? InferenceSession.create(source, settings)
      : InferenceSession.create(source, settings))
  } catch (cause) {
    throw failure('model_invalid', { model, problem: loadProblem(executionProvider) }, { cause })
  }
}

const loadProblem = (provider: SessionOptions['executionProvider']) =>
  'onnxruntime cannot load it: the file is damaged, or needs a newer onnxruntime or operators that this one lacks' +
  (provider === 'cpu' ? '' : `, or this installation has no execution provider "${provider}"`) +
  "; see the log for onnxruntime's message"

/** The signature of the model. @throws model_invalid for values that are not tensors of numbers */
const signatures = (
  model: string,
  kind: 'input' | 'output',
  values: readonly InferenceSession.ValueMetadata[],
): TensorSignature[] =>
  values.map((value) => {
    const type = value.isTensor ? typeOfOrt(value.type) : undefined
    if (value.isTensor && type)
      return { name: value.name, type, shape: value.shape.map((size) => (typeof size === 'number' ? size : -1)) }
    const what = value.isTensor ? `of the type ${value.type}` : 'which is not a tensor'
    const problem = `its ${kind} "${value.name.slice(0, 64)}", ${what}, is not supported: only tensors of numbers are`
    throw failure('model_invalid', { model, problem })
  })

/**
 * Loads the runtime on demand, so that importing the plugin does not load it. It sends telemetry, and leaves files
 * behind, unless this variable is set before (Privacy.md of onnxruntime).
 */
export const loadRuntime = () => {
  process.env['ORT_DISABLE_TELEMETRY'] = '1'
  return import('onnxruntime-node')
}
