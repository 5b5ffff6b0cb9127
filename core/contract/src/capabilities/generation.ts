/** Types shared by chat and text completion. */

import type { Usage } from './call.js'

/** How the next token is chosen. Absent members mean the model's own default. */
export interface Sampling {
  /** 0 (greedy) to 2. */
  temperature?: number
  /** Nucleus: smallest set of tokens whose probability reaches this, 0 to 1. */
  topP?: number
  /** Keep the k most probable tokens; 0 keeps all. */
  topK?: number
  /** Drop tokens below this share of the most probable one, 0 to 1. */
  minP?: number
  /** -2 to 2, times the count of the token so far. */
  frequencyPenalty?: number
  /** -2 to 2, once for a token that occurred. */
  presencePenalty?: number
  /** Token id to -100..100, added to the logit; ids outside the vocabulary are ignored. */
  logitBias?: Record<number, number>
  /** The same seed, request and model give the same text. */
  seed?: number
}

/** Limits of the generation, and what to report. */
export interface GenerationOptions extends Sampling {
  /** Upper bound of generated tokens. */
  maxTokens?: number
  /** Stop sequences, which end the generation; they are not part of the result. */
  stop?: string[]
  /** Number of choices. The kernel calls the backend once for each, side by side, so backends never see the option. */
  n?: number
  /** Report the log-probability of each generated token and of this many alternatives (0 to 20). */
  topLogprobs?: number
}

/** One generated token and its alternatives. */
export interface TokenLogprob {
  token: string
  /** Natural logarithm of the probability. */
  logprob: number
  /** UTF-8 bytes of the token, where a token is not a whole character. */
  bytes?: number[]
  /** Most probable first. */
  top?: { token: string; logprob: number; bytes?: number[] }[]
}

/**
 * `stop`: the model ended, or a stop sequence came; `length`: a limit was reached; `tool_calls`: it waits for the results
 * of calls; `content_filter`: a filter behind the backend cut the answer.
 */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter'

/** The last chunk of a choice. */
export interface Finish {
  finish: FinishReason
  /** Absent when the backend cannot count; the kernel then counts with the model's tokenizer if there is one. */
  usage?: Usage
  /** The stop sequence that ended the generation; the kernel omits any other text. */
  stopSequence?: string
}
