import { usageOfRequests, usageOfChoices } from '@sallyport/kit/generation'
import type { Usage } from '@sallyport/core'

/** Formats token counts, in the same way for both dialects. */
export const wireUsage = (usage: Usage): object => ({
  prompt_tokens: usage.promptTokens,
  completion_tokens: usage.completionTokens,
  total_tokens: usage.promptTokens + usage.completionTokens,
  prompt_tokens_details: { audio_tokens: 0, cached_tokens: usage.cachedTokens ?? 0 },
  completion_tokens_details: {
    reasoning_tokens: usage.reasoningTokens ?? 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
    audio_tokens: 0,
  },
})

export const usageField = (usage: Usage | undefined): object => (usage ? { usage: wireUsage(usage) } : {})

export interface StreamOptions {
  readonly includeUsage: boolean
  /** How many choices will end, and how many of them share a prompt. */
  readonly choices: number
  readonly perPrompt: number
  /** Further fields of the last event; called when the source has ended. */
  readonly lastEventFields: () => object
}

/** Adds up a stream's usage while its choices end. `perPrompt` choices share a prompt, which counts once. */
export class UsageTally {
  private readonly byPrompt = new Map<number, Usage[]>()
  private ended = 0

  constructor(private readonly options: Pick<StreamOptions, 'choices' | 'perPrompt'>) {}

  /** Returns true when this was the last choice. */
  end(choice: number, usage: Usage | undefined): boolean {
    const prompt = Math.floor(choice / this.options.perPrompt)
    if (usage) this.byPrompt.set(prompt, [...(this.byPrompt.get(prompt) ?? []), usage])
    this.ended += 1
    return this.ended === this.options.choices
  }

  get total(): Usage | undefined {
    return usageOfRequests([...this.byPrompt.values()].map((usages) => usageOfChoices(usages)))
  }
}
