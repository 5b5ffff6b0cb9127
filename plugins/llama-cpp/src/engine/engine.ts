import { failure } from '@sallyport/core'
import type { Logger } from '@sallyport/core'
import { onAbort } from '@sallyport/kit/async'
import { LruCache } from '@sallyport/kit/lists'
import { estimateMemory, modelFacts } from '../gguf/model-facts.js'
import type { ModelFacts } from '../gguf/model-facts.js'
import type { LlamaCppOptions } from '../options.js'
import { GgufError } from '../gguf/file-window.js'
import { readModelHeader } from '../gguf/parts.js'
import { NativeModel } from './binding.js'
import type { NativeGrammar } from './binding.js'
import type { NativeContext } from './native-context.js'
import { calibrate, maxThreads } from './calibration.js'
import { CoreMeter } from './core-meter.js'
import { Embedder } from './embedder.js'
import { Generation } from './generation.js'
import type { GenerationChunk, GenerationRequest, GenerationSetup } from './generation.js'
import { SamplerPool, isSeeded, samplerConfig } from './sampling.js'
import { Scheduler } from './scheduler.js'
import { SliceSizer } from './slice-sizer.js'
import { ThreadGovernor } from './thread-governor.js'
import { TokenOrder } from './token-order.js'
import { Vocabulary } from './vocabulary.js'

export interface EngineOptions extends Pick<
  LlamaCppOptions,
  'contextLength' | 'parallel' | 'queue' | 'threads' | 'sliceMilliseconds' | 'embeddings' | 'sampling'
> {
  /** The model's id, for messages. */
  readonly id: string
  readonly path: string
  readonly logger: Logger
}

/** The maximum context length where the configuration sets none. */
const defaultContextLength = 4096
/** The maximum number of tokens in one evaluation, whose buffers grow with it. */
const maxBatch = 128

/** The size of the cache of grammars, in characters of their text; a parsed grammar takes many times that. */
const maxGrammarCharacters = 4_000_000

/** The dimensions of an engine, which follow from the model file and the options. */
export interface EngineShape {
  readonly contextLength: number
  readonly parallel: number
  readonly batch: number
  readonly generates: boolean
  readonly embeds: boolean
}

/** Reads the headers of a model file and its parts. @throws model_invalid */
export const inspectModel = (id: string, path: string): ModelFacts => {
  try {
    return modelFacts(readModelHeader(path))
  } catch (error) {
    if (!(error instanceof GgufError)) throw error
    throw failure('model_invalid', { model: id, problem: error.message })
  }
}

export const engineShape = (
  facts: ModelFacts,
  options: Pick<EngineOptions, 'contextLength' | 'parallel' | 'embeddings'>,
): EngineShape => {
  const forEmbeddings = facts.pooling !== undefined && facts.pooling !== 'none' && facts.pooling !== 'rank'
  const trained = facts.contextLength || defaultContextLength
  const contextLength = Math.min(options.contextLength ?? defaultContextLength, trained)
  const generates = facts.causal && !forEmbeddings
  return {
    contextLength,
    parallel: options.parallel,
    batch: generates ? Math.max(maxBatch, options.parallel) : contextLength,
    generates,
    embeds: options.embeddings ?? forEmbeddings,
  }
}

export const engineMemory = (facts: ModelFacts, shape: EngineShape) =>
  estimateMemory(facts, shape.generates ? shape : { ...shape, parallel: 1 })

/** A loaded model: generation, embeddings and tokens. */
export class Engine {
  private readonly grammars = new LruCache<NativeGrammar>(maxGrammarCharacters, (_, gbnf) => gbnf.length)
  /** Created when the first grammar needs it. */
  private order: Promise<TokenOrder> | undefined

  private constructor(
    readonly facts: ModelFacts,
    readonly shape: EngineShape,
    readonly vocabulary: Vocabulary,
    readonly embedder: Embedder | undefined,
    private readonly model: NativeModel,
    private readonly generator: TextGenerator | undefined,
    private readonly options: EngineOptions,
  ) {}

  /** @throws model_invalid, insufficient_memory, plugin_invalid */
  static async load(options: EngineOptions): Promise<Engine> {
    const meter = new CoreMeter()
    const facts = inspectModel(options.id, options.path)
    const shape = engineShape(facts, options)
    const model = await NativeModel.load(options.id, options.path, options.logger)
    let generator: TextGenerator | undefined
    try {
      const vocabulary = new Vocabulary(model.vocabulary, facts.vocabulary, facts)
      const max = maxThreads(model.cores, options.threads)
      generator = shape.generates ? await createGenerator(model, shape, options, max, meter) : undefined
      const threads = generator?.context.threads ?? max
      const embedding = { ...options, ...shape, model, vocabulary, threads }
      const embedder = shape.embeds ? await Embedder.create(embedding) : undefined
      return new Engine(facts, shape, vocabulary, embedder, model, generator, options)
    } catch (error) {
      await generator?.context.dispose()
      await model.dispose()
      throw error
    }
  }

  /**
   * Continues a prompt. The chunks of text end with a {@link GenerationEnd}; leaving the loop early frees the sequence.
   * @throws context_exceeded, overloaded, invalid_request (an empty prompt), unsupported; the signal's reason when
   * aborted
   */
  async *generate(request: GenerationRequest, signal: AbortSignal): AsyncGenerator<GenerationChunk> {
    signal.throwIfAborted()
    const { scheduler } = this.requireGenerator()
    const setup = this.setup(request, await this.grammar(request))
    signal.throwIfAborted()
    const generation = new Generation(setup, () => scheduler.forget(generation))
    const ignoreAbort = onAbort(signal, () => {
      generation.abort(signal.reason)
      scheduler.forget(generation)
    })
    try {
      if (generation.setup.limit > 0) scheduler.submit(generation)
      else generation.finish({ finish: 'length' })
      yield* generation.chunks
    } finally {
      ignoreAbort()
    }
  }

  /** Threads that evaluate. */
  get threads(): number {
    return this.generator?.context.threads ?? 0
  }

  async stop(): Promise<void> {
    await this.generator?.scheduler.stop()
    this.generator?.samplers.dispose()
    await this.generator?.context.dispose()
    await this.embedder?.stop()
    await this.model.dispose()
  }

  private setup(request: GenerationRequest, grammar: GenerationSetup['grammar']): GenerationSetup {
    const { contextLength } = this.shape
    const { prompt, sampling } = request
    if (prompt.length === 0)
      throw failure('invalid_request', { field: 'prompt', problem: 'must have at least one token' })
    if (prompt.length >= contextLength)
      throw failure('context_exceeded', { tokens: prompt.length, limit: contextLength })
    const limit = Math.min(request.maxTokens ?? Infinity, contextLength - prompt.length)
    const { vocabulary } = this
    const defaults = this.options.sampling
    const forbidden = request.grammar === undefined ? [] : forbiddenTokens(vocabulary, request.visibleControls)
    const sampler = samplerConfig(sampling, defaults, vocabulary, contextLength, forbidden)
    const reproducible = isSeeded(sampling, defaults)
    const { samplers } = this.requireGenerator()
    return { request, sampler, samplers, ...(grammar ? { grammar } : {}), vocabulary, limit, reproducible }
  }

  private async grammar({ grammar: gbnf }: GenerationRequest): Promise<GenerationSetup['grammar']> {
    if (gbnf === undefined) return undefined
    const order = await (this.order ??= TokenOrder.of(this.vocabulary))
    return { native: this.grammars.getOrMake(gbnf, () => this.model.createGrammar(gbnf)), order }
  }

  private requireGenerator(): TextGenerator {
    if (!this.generator) throw failure('unsupported', { problem: 'this model does not generate text' })
    return this.generator
  }
}

/** Control tokens that stay hidden: a grammar would accept their texts as text of the answer. */
const forbiddenTokens = (vocabulary: Vocabulary, visibleControls: GenerationRequest['visibleControls']): number[] =>
  vocabulary.controls.map(({ id }) => id).filter((id) => !visibleControls?.has(id) && !vocabulary.endsGeneration(id))

interface TextGenerator {
  readonly context: NativeContext
  readonly scheduler: Scheduler
  readonly samplers: SamplerPool
}

const createGenerator = async (
  model: NativeModel,
  shape: EngineShape,
  options: EngineOptions,
  threads: number,
  /** The meter was started before the model was loaded, so that it has measured something by now. */
  meter: CoreMeter,
): Promise<TextGenerator> => {
  const { contextLength, parallel, batch } = shape
  const context = await model.createContext({ contextLength, sequences: parallel, batch, threads })
  const slices = new SliceSizer(options.sliceMilliseconds, batch)
  const governor = new ThreadGovernor(threads, () => meter.free())
  await calibrate(context, governor, slices).catch(async (error: unknown) => {
    await context.dispose()
    throw error
  })
  const scheduler = new Scheduler({ context, sequences: parallel, queue: options.queue, slices, governor })
  return { context, scheduler, samplers: new SamplerPool(model) }
}
