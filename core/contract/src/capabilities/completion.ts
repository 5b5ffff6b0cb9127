import type { Call, Usage } from './call.js'
import { capability } from './capability.js'
import { finishShape, logprobsShape, optionsShape } from './generation-shapes.js'
import type { Finish, FinishReason, GenerationOptions, TokenLogprob } from './generation.js'

export interface CompletionRequest extends GenerationOptions {
  /** Continued as it is, without a chat template. */
  prompt: string
  /** Text after the gap, for models that infill; refused with `unsupported` by others. */
  suffix?: string
  /**
   * Begin each choice with the prompt. The kernel does it, with what the input checks have left and before the output
   * checks, so backends never see the option.
   */
  echo?: boolean
}

/**
 * A chunk of one choice. `choice` is its position among the `n`, 0 when absent. What the kernel serves has no empty
 * chunks, except log-probabilities that remain after the text.
 */
export type CompletionChunk = { choice?: number } & ({ delta: string; logprobs?: TokenLogprob[] } | Finish)

export interface CompletionChoice {
  text: string
  logprobs?: TokenLogprob[]
  finish: FinishReason
  stopSequence?: string
}

/** The collected stream. */
export interface CompletionResult {
  choices: CompletionChoice[]
  usage?: Usage
}

/** Continues a text. */
export interface CompletionCapability {
  /**
   * Yields the chunks of the continuation and, last, its {@link Finish}. A backend is asked for one choice at a time and
   * need not number it.
   * @throws context_exceeded, unsupported, overloaded, model_unavailable; the signal's reason when aborted.
   */
  stream(request: CompletionRequest, call: Call): AsyncIterable<CompletionChunk>
}

export const completion = capability<CompletionCapability>()('completion', {
  guarded: true,
  methods: {
    stream: {
      kind: 'stream',
      together: [['prompt', 'suffix'], ['stop']],
      continues: ['prompt', 'suffix'],
      request: { ...optionsShape, prompt: 'text', 'suffix?': 'text', 'echo?': 'boolean' },
      result: { ...finishShape, 'choice?': 'number', 'delta?': 'delta', 'logprobs?': logprobsShape },
    },
  },
})
