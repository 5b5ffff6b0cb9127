/**
 * The part of node-llama-cpp's native addon that this package uses, as of version 3.21.1 (its
 * `dist/bindings/AddonTypes.d.ts` is not exported).
 */

export interface AddonModel {
  init(): Promise<boolean>
  dispose(): Promise<void>
  /** `special`: texts of control tokens become these tokens. */
  tokenize(text: string, special: boolean): Uint32Array
  detokenize(tokens: Uint32Array, special: boolean): string
  /** Special tokens are -1 where the model has none. */
  tokenBos(): number
  tokenEos(): number
  sepToken(): number
  prefixToken(): number
  middleToken(): number
  suffixToken(): number
  /** The text as the vocabulary writes it; throws C++ exceptions for ids outside. */
  getTokenString(token: number): string
  getTokenAttributes(token: number): number
  isEogToken(token: number): boolean
  getVocabularyType(): number
  shouldPrependBosToken(): boolean
  shouldAppendEosToken(): boolean
}

export interface AddonContext {
  init(): Promise<boolean>
  dispose(): Promise<void>
  initBatch(tokens: number): void
  addToBatch(sequence: number, position: number, tokens: Uint32Array, logitIndexes: Uint32Array): Uint32Array
  decodeBatch(): Promise<void>
  sampleToken(logitIndex: number, sampler: AddonSampler): Promise<number>
  sampleToken(
    logitIndex: number,
    sampler: AddonSampler,
    probabilities: true,
  ): Promise<[token: number, probabilities: number[] | undefined, confidence: number | undefined]>
  disposeSequence(sequence: number): void
  removeTokenCellsFromSequence(sequence: number, start: number, end: number): boolean
  getEmbedding(tokens: number): Float64Array
  getThreads(): number
  setThreads(threads: number): void
}

export interface AddonSampler {
  dispose(): void
  /** Changes a sampler in use. Only another seed renews its random state. */
  applyConfig(config: AddonSamplerConfig): void
}

/** The parsed text of a grammar. */
export type AddonGrammar = object

/** The position of a text in a grammar; freed when nothing refers to it. */
export type AddonGrammarState = object

/** Absent members switch the stage off; without a temperature the choice is greedy. */
export interface AddonSamplerConfig {
  temperature?: number
  minP?: number
  topK?: number
  topP?: number
  seed?: number
  repeatPenalty?: number
  repeatPenaltyMaxTokens?: number
  repeatPenaltyTokens?: Uint32Array
  repeatPenaltyPresencePenalty?: number
  repeatPenaltyFrequencyPenalty?: number
  tokenBiasKeys?: Uint32Array
  tokenBiasValues?: Float32Array
  /** The sampler chooses only what the grammar admits, and moves the state on. */
  grammarEvaluationState?: AddonGrammarState
}

export interface Addon {
  init(): Promise<void>
  getMathCores(): number
  AddonModel: new (path: string, options: { useMmap: boolean; gpuLayers: number; addonExports: Addon }) => AddonModel
  AddonContext: new (
    model: AddonModel,
    options: {
      contextSize: number
      batchSize: number
      sequences: number
      threads: number
      flashAttention: boolean | 'auto'
      embeddings?: boolean
    },
  ) => AddonContext
  AddonSampler: {
    new (model: AddonModel): AddonSampler
    /** True for tokens that end a generation where the grammar may end. */
    canBeNextTokenForGrammarEvaluationState(state: AddonGrammarState, token: number): boolean
    /** Ends the process for tokens that end a generation, throws for others that are not admitted. */
    acceptGrammarEvaluationStateToken(state: AddonGrammarState, token: number): void
  }
  /** Throws where the text cannot be parsed. */
  AddonGrammar: new (text: string, options: { addonExports: Addon; rootRuleName: string }) => AddonGrammar
  AddonGrammarEvaluationState: {
    new (model: AddonModel, grammar: AddonGrammar): AddonGrammarState
    /** Copies a state. */
    new (state: AddonGrammarState): AddonGrammarState
  }
}

const required = {
  AddonModel:
    'init dispose tokenize detokenize tokenBos tokenEos sepToken prefixToken middleToken suffixToken getTokenString ' +
    'getTokenAttributes isEogToken getVocabularyType shouldPrependBosToken shouldAppendEosToken',
  AddonContext:
    'init dispose initBatch addToBatch decodeBatch sampleToken disposeSequence removeTokenCellsFromSequence ' +
    'getEmbedding getThreads setThreads',
  AddonSampler: 'dispose applyConfig',
  AddonGrammar: '',
  AddonGrammarEvaluationState: '',
}

const requiredStatics = ['canBeNextTokenForGrammarEvaluationState', 'acceptGrammarEvaluationStateToken'] as const

type Members = Readonly<Record<string, unknown>>

const hasFunction = (owner: unknown, name: string) => typeof (owner as Members | undefined)?.[name] === 'function'

/** The classes and methods (`Class.method`) that the addon lacks. */
export const missingFromAddon = (addon: unknown): string[] => {
  const classes = (addon ?? {}) as Readonly<Record<string, Members | undefined>>
  const missing = Object.entries(required).flatMap(([name, methods]) => {
    if (!hasFunction(classes, name)) return [name]
    const names = methods.split(' ').filter((method) => method && !hasFunction(classes[name]?.['prototype'], method))
    return names.map((method) => `${name}.${method}`)
  })
  return [...missing, ...requiredStatics.filter((name) => !hasFunction(classes['AddonSampler'], name))]
}
