import type { Sampling, Usage } from '@sallyport/core'
import { ChunkQueue } from './chunk-queue.js'
import { TextAssembler } from './text-assembler.js'
import type { TextChunk } from './text-assembler.js'
import type { Sampled, Sampler, SamplerConfig } from './native-context.js'
import { Constraint } from './constraint.js'
import type { NativeGrammar } from './binding.js'
import type { TokenOrder } from './token-order.js'
import { tokenLogprob } from './sampling.js'
import type { SamplerPool } from './sampling.js'
import type { Vocabulary } from './vocabulary.js'

/** A prompt to continue, and how. */
export interface GenerationRequest {
  /** Token ids, start token included. */
  readonly prompt: Uint32Array
  readonly sampling: Sampling
  /** Texts that end the generation and are not shown. */
  readonly stop: readonly string[]
  readonly maxTokens?: number
  /** The number of alternatives that are reported with log-probabilities; undefined for no log-probabilities. */
  readonly topLogprobs?: number
  /** GBNF, whose rule `root` is the whole text. */
  readonly grammar?: string
  /** Control tokens whose texts are shown; others have none. */
  readonly visibleControls?: ReadonlySet<number>
  /** Is called after every token; true ends the generation, as a stop sequence does. */
  readonly isOver?: () => boolean
  /** Cached tokens are shared with requests of the same tenant only. */
  readonly tenant: string
}

export interface GenerationEnd {
  readonly finish: 'stop' | 'length'
  readonly stopSequence?: string
  readonly usage: Usage
}

type Ending = Omit<GenerationEnd, 'usage'>

export type GenerationChunk = TextChunk | GenerationEnd

export interface GenerationSetup {
  readonly request: GenerationRequest
  readonly sampler: SamplerConfig
  readonly samplers: SamplerPool
  readonly grammar?: { readonly native: NativeGrammar; readonly order: TokenOrder }
  readonly vocabulary: Vocabulary
  /** The maximum number of tokens to generate: the request's limit, or what the context leaves. */
  readonly limit: number
  /** Whether to evaluate in the same portions every time: the sums of a portion depend on its size. */
  readonly reproducible: boolean
}

/** One request, from the queue through a sequence to its end. It may be paused and go on in another sequence. */
export class Generation {
  readonly chunks: ChunkQueue<GenerationChunk>
  /** The tokens that its sequence must hold: the prompt, and after a pause also what was generated. */
  tokens: Uint32Array
  cachedTokens = 0
  /** Present from the beginning to the end of the generation, pauses included. */
  sampler: Sampler | undefined
  /** Present as long as the sampler where there is a grammar. */
  constraint: Constraint | undefined
  /** Whether the generation is over for any reason, so that nothing more is evaluated for it. */
  done = false
  private generated = 0
  private readonly text: TextAssembler

  constructor(
    readonly setup: GenerationSetup,
    onGone: () => void,
  ) {
    this.tokens = setup.request.prompt
    this.text = new TextAssembler(setup.request.stop)
    this.chunks = new ChunkQueue(merge, () => {
      this.done = true
      onGone()
    })
  }

  get tenant(): string {
    return this.setup.request.tenant
  }

  get hasBegun(): boolean {
    return this.sampler !== undefined
  }

  /** Takes a sampler when the generation gets its first sequence. */
  begin(): void {
    const { samplers, sampler: config, grammar } = this.setup
    this.sampler = samplers.take(config)
    if (!grammar) return
    this.constraint = new Constraint(grammar.native.begin(), grammar.order, samplers, this.sampler, config)
  }

  /** Gives the sampler back; the generation needs no sequence any more. */
  release(): void {
    this.constraint?.release()
    if (this.sampler) this.setup.samplers.giveBack(this.sampler)
    this.sampler = undefined
    this.constraint = undefined
  }

  /** Takes a sampled token. Returns it when it is to be evaluated next, undefined when the generation is over. */
  accept(sampled: Sampled): number | undefined {
    const ending = this.take(sampled)
    if (!ending) return sampled.token
    this.finish(ending)
    return undefined
  }

  fail(error: unknown): void {
    this.done = true
    this.chunks.fail(error)
  }

  abort(reason: unknown): void {
    this.done = true
    this.chunks.abort(reason)
  }

  /** Emits the text of a token. Returns how the generation ends with it, or undefined where it goes on. */
  private take({ token, probabilities }: Sampled): Ending | undefined {
    if (token === undefined) return { finish: 'stop' }
    const { vocabulary, request, limit } = this.setup
    this.generated += 1
    if (vocabulary.endsGeneration(token) || request.isOver?.()) return { finish: 'stop' }
    const bytesOf = (each: number) => this.bytesOf(each)
    const logprob = probabilities && tokenLogprob(token, probabilities, request.topLogprobs ?? 0, bytesOf)
    const { stopSequence, ...chunk } = this.text.push(bytesOf(token), logprob)
    this.emit(chunk)
    if (stopSequence !== undefined) return { finish: 'stop', stopSequence }
    return this.generated < limit ? undefined : { finish: 'length' }
  }

  private bytesOf(token: number): Uint8Array {
    const { vocabulary, request } = this.setup
    return request.visibleControls?.has(token) ? vocabulary.controlBytes(token) : vocabulary.bytes(token)
  }

  /** Ends the stream of chunks. */
  finish(ending: Ending): void {
    if (ending.stopSequence === undefined) this.emit(this.text.end())
    this.done = true
    const { prompt } = this.setup.request
    const usage = { promptTokens: prompt.length, cachedTokens: this.cachedTokens, completionTokens: this.generated }
    this.chunks.push({ ...ending, usage })
    this.chunks.end()
  }

  private emit(chunk: TextChunk): void {
    if (chunk.text !== '' || chunk.logprobs.length > 0) this.chunks.push(chunk)
  }
}

const merge = (earlier: GenerationChunk, later: GenerationChunk): GenerationChunk | undefined =>
  'finish' in earlier || 'finish' in later
    ? undefined
    : { text: earlier.text + later.text, logprobs: [...earlier.logprobs, ...later.logprobs] }
