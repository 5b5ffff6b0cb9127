import type { Tensor, InspectionRequest, ToolCallRequest, TranslationRequest, ModelFeatures } from '@sallyport/core'

/** Two different texts. */
export type Pair = readonly [string, string]

/**
 * What the cases are told of the model under test. Everything may be left out: there are defaults, and a case without
 * what it needs is skipped and says so.
 */
export interface ModelFacts {
  /** Tokens that fit. */
  readonly contextLength?: number
  readonly features?: ModelFeatures
  /** Chat, completion: prompts that the model answers differently, each with 24 tokens or more. */
  readonly prompts?: Pair
  /** Milliseconds after which an aborted call must have ended. Default: 1000. */
  readonly abortWithin?: number
  /** Embedding: the length of a vector. */
  readonly dimensions?: number
  /** Embedding: false where vectors have no unit length. */
  readonly normalised?: boolean
  /** Detectors: one text that must be found and one that must not. */
  readonly samples?: { readonly flagged: InspectionRequest; readonly harmless: InspectionRequest }
  /** Detectors of spans: what texts are put together of, in any order and cut anywhere; by default words of the samples. */
  readonly parts?: readonly string[]
  /** Transcription: two recordings, each of two sentences or more; tones by default, which are no words. */
  readonly recordings?: readonly [Recording, Recording]
  /** Translation: two texts that the model translates, each with a word of its translation. */
  readonly translations?: readonly [Translatable, Translatable]
  /** Tools: two calls with different outputs. */
  readonly toolCalls?: readonly [ToolCallRequest, ToolCallRequest]
  /** Tools: a call that the tool itself answers with an error. */
  readonly failingToolCall?: ToolCallRequest
  /** Inference: two sets of inputs with different outputs. */
  readonly tensors?: readonly [Record<string, Tensor>, Record<string, Tensor>]
}

export interface Recording {
  readonly file: string
  /** Words that are said in it, in lower case. */
  readonly words: readonly string[]
}

export type Translatable = TranslationRequest & { readonly expected: string }

export const defaultPrompts: Pair = [
  'Repeat this word for word: one two three four five six seven eight nine ten eleven twelve thirteen fourteen ' +
    'fifteen sixteen seventeen eighteen nineteen twenty and then all of it once more',
  'Repeat this word for word: red orange yellow green blue violet black white gold silver copper bronze iron tin ' +
    'lead zinc nickel cobalt chrome steel and then tell me which of them you like best',
]
