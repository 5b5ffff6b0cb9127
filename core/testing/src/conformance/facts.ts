import type { Tensor, InspectionRequest, ToolCallRequest, TranslationRequest, ModelFeatures } from '@sallyport/core'

/** Two different texts. */
export type TextPair = readonly [string, string]

/**
 * Facts about the model under test. All are optional but `samples`, for checks of your own: some have defaults, and a
 * case that lacks the fact that it needs is skipped with that reason.
 */
export interface ModelFacts {
  /** Tokens that fit into the model's context. */
  readonly contextLength?: number
  readonly features?: ModelFeatures
  /** Chat, completion: two prompts with different answers of at least 24 tokens each. */
  readonly prompts?: TextPair
  /** Milliseconds after which an aborted call must have ended. Default: 1000. */
  readonly abortWithin?: number
  /** Embedding: the number of dimensions of a vector. */
  readonly dimensions?: number
  /** Embedding: false where vectors have no unit length. */
  readonly normalised?: boolean
  /** Detectors: required for checks of your own; those of the specification have defaults. */
  readonly samples?: Samples
  /** Detectors of spans: fragments that random texts are made of; the words of the samples by default. */
  readonly fragments?: readonly string[]
  /** Transcription: two recordings, each of two sentences or more; tones without words by default. */
  readonly recordings?: readonly [Recording, Recording]
  /** Translation: two texts that the model can translate, each with a word of its translation. */
  readonly translations?: readonly [Translatable, Translatable]
  /** Tools: two calls with different outputs. */
  readonly toolCalls?: readonly [ToolCallRequest, ToolCallRequest]
  /** Tools: a call that the tool itself answers with an error. */
  readonly failingToolCall?: ToolCallRequest
  /** Inference: two sets of inputs with different outputs. */
  readonly tensors?: readonly [Record<string, Tensor>, Record<string, Tensor>]
}

/** One text that must be flagged, and one that must not. */
export interface Samples {
  readonly flagged: InspectionRequest
  readonly harmless: InspectionRequest
}

export interface Recording {
  readonly file: string
  /** Words that are spoken in it, in lower case. */
  readonly words: readonly string[]
}

type Translatable = TranslationRequest & { readonly expected: string }

export const defaultPrompts: TextPair = [
  'Repeat this word for word: one two three four five six seven eight nine ten eleven twelve thirteen fourteen ' +
    'fifteen sixteen seventeen eighteen nineteen twenty and then all of it once more',
  'Repeat this word for word: red orange yellow green blue violet black white gold silver copper bronze iron tin ' +
    'lead zinc nickel cobalt chrome steel and then tell me which of them you like best',
]
