/** Trials of a model while it is loaded. */

import type { Requester } from '@sallyport/kit/async'
import type { Encoding } from '../text/token-template.js'
import type { TextTokenizer } from '../text/tokenizer.js'
import type { TextModel } from './text-model.js'

const probe = 'The quick brown fox jumps over the lazy dog.'

/** The texts differ in length, script and content, because a quantisation scale of a whole batch depends on these. */
export const trialTexts: readonly string[] = [
  probe,
  'No.',
  '3.14159, 2718281828, +44 20 7946 0958',
  'Широкая электрификация южных губерний; 我能吞下玻璃而不伤身体。',
  "if (a[i] !== b[i]) { throw new Error('\\x00') } // $%&@#~",
  '👍🏽👍🏽👍🏽 !!! ???',
  'It was a bright cold day in April, and the clocks were striking thirteen. '.repeat(4),
]

/** The requester of the trials: loading belongs to no tenant and is never aborted. */
export const loadRequester: Requester = { tenant: '', signal: new AbortController().signal }

export const trialEncodings = (tokenizer: TextTokenizer): Promise<Encoding[]> =>
  Promise.all(trialTexts.map((text) => encoded(tokenizer, text)))

const encoded = (tokenizer: TextTokenizer, text: string) => tokenizer.encode(text, { truncate: 'right' }, loadRequester)

/** The dimensions of the model's vectors, which files often leave open. */
export const vectorDimensions = async (model: TextModel, tokenizer: TextTokenizer): Promise<number> =>
  (await model.evaluateNow([await encoded(tokenizer, probe)]))[0]?.length ?? 0

/** Whether two rows are equal, up to small differences. */
export type RowsAgree = (one: Float32Array, other: Float32Array) => boolean

/** The distance, relative to the norm of the first vector, is at most that of unit vectors with a cosine of 0.9999. */
export const vectorsAgree: RowsAgree = (one, other) =>
  distance(one, other) <= Math.sqrt(2 * (1 - 0.9999)) * distance(one, [])

/** No logit differs by more than 0.02, which changes a score by at most 0.005 (sigmoid) or 0.01 (softmax). */
export const logitsAgree: RowsAgree = (one, other) =>
  one.every((logit, index) => Math.abs(logit - (other[index] ?? 0)) <= 0.02)

/** @throws model_invalid for a model that gives finite numbers for none of the texts */
export const requireFinite = async (model: TextModel, trials: readonly Encoding[]): Promise<void> => {
  let problem: unknown
  for (const trial of trials)
    try {
      return void (await model.evaluateFinite([trial]))
    } catch (error) {
      problem = error
    }
  throw problem
}

/**
 * Whether the result of a text is the same whatever else is in its batch. It is not in models whose quantisation has
 * one scale for the whole batch, and in models without an attention mask.
 */
export const isBatchInvariant = async (
  model: TextModel,
  trials: readonly Encoding[],
  agree: RowsAgree,
): Promise<boolean> => {
  const encodings = trials.filter(({ ids }) => ids.length > 0).slice(0, model.maxBatchSize)
  for (const [index, inBatch] of (await model.evaluateNow(encodings)).entries()) {
    const [alone] = await model.evaluateNow(encodings.slice(index, index + 1))
    if (!alone || !agree(alone, inBatch)) return false
  }
  return true
}

/** The Euclidean distance; values that `other` lacks count as zero. */
const distance = (one: ArrayLike<number>, other: ArrayLike<number>): number => {
  let sum = 0
  for (let index = 0; index < one.length; index += 1) sum += ((one[index] ?? 0) - (other[index] ?? 0)) ** 2
  return Math.sqrt(sum)
}
