/** Converts the body of a completion request to the kernel's CompletionRequests. */

import type { CompletionRequest } from '@sallyport/core'
import type { FieldNames } from '../../body/wire-path.js'
import { omitUndefined, generationFields, generationOptions } from '../generation.js'
import type { GenerationBody } from '../generation.js'
import { invalidField } from '../../invalid-field.js'

export interface CompletionBody extends GenerationBody {
  prompt: string | string[]
  suffix?: string
  echo?: boolean
  logprobs?: number
}

/** The fields of the body that {@link toCompletionRequests} reads, by the kernel's names. */
export const completionFields: FieldNames = { ...generationFields, topLogprobs: 'logprobs' }

/**
 * One request per prompt.
 * @param maxTokens the default, where the body has no `max_tokens`
 * @throws invalid_request
 */
export const toCompletionRequests = (body: CompletionBody, maxTokens: number): CompletionRequest[] => {
  if (body.echo && body.logprobs !== undefined)
    throw invalidField('echo', 'must not be true beside "logprobs": the log-probabilities of the prompt are not known')
  const prompts = typeof body.prompt === 'string' ? [body.prompt] : body.prompt
  const common = {
    maxTokens,
    ...generationOptions(body),
    ...omitUndefined({ suffix: body.suffix, echo: body.echo, topLogprobs: body.logprobs }),
  }
  return prompts.map((prompt) => ({ prompt, ...common }))
}
