/** Converts the fields that chat and text completion share to the kernel's names. */

import type { GenerationOptions } from '@sallyport/core'
import type { FieldNames } from '../body/wire-path.js'
import type { generationProperties } from '../schemas/generation.js'
import type { BodyOf } from '../schemas/schema.js'

type GenerationBody = BodyOf<{
  readonly type: 'object'
  readonly properties: ReturnType<typeof generationProperties>
}>

/** The fields of the body that {@link generationOptions} reads, by the kernel's names. */
export const generationFields: FieldNames = {
  topP: 'top_p',
  topK: 'top_k',
  minP: 'min_p',
  frequencyPenalty: 'frequency_penalty',
  presencePenalty: 'presence_penalty',
  logitBias: 'logit_bias',
  maxTokens: 'max_tokens',
}

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> }

/** The object without its undefined members. */
export const omitUndefined = <T extends object>(value: T): Defined<T> =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Defined<T>

export const generationOptions = (body: GenerationBody): GenerationOptions =>
  omitUndefined({
    temperature: body.temperature,
    topP: body.top_p,
    topK: body.top_k === undefined ? undefined : Math.max(0, body.top_k),
    minP: body.min_p,
    frequencyPenalty: body.frequency_penalty,
    presencePenalty: body.presence_penalty,
    logitBias: body.logit_bias,
    maxTokens: body.max_tokens,
    stop: stopSequences(body.stop),
    seed: body.seed,
    n: body.n,
  })

const stopSequences = (stop: string | string[] | undefined): string[] | undefined => {
  const texts = typeof stop === 'string' ? [stop] : stop
  return texts?.length ? texts : undefined
}
