/** What is tried on a model while it is loaded. */

import type { Tensor } from '@sallyport/core'
import type { Session } from '../session/session.js'
import type { TextTokenizer } from '../text/text-tokenizer.js'
import { textInputs } from './text-inputs.js'
import type { TextModel } from './text-model.js'

/** Lengths to try, in tokens, where a model's files do not tell its own. */
const candidates = [512, 256, 128, 64, 32]

/** The longest of some usual lengths that the model evaluates; undefined where it evaluates none. */
export const longestEvaluated = async (
  session: Session,
  output: string,
  blank: Readonly<Record<string, Tensor>> = {},
): Promise<number | undefined> => {
  for (const length of candidates) {
    const text = { ids: new Array<number>(length).fill(0) }
    const run = session.run({ ...textInputs([text], session.inputs, 0), ...blank }, [output])
    const [result] = await Promise.allSettled([run])
    if (result.status === 'fulfilled') return length
  }
  return undefined
}

const probe = 'The quick brown fox jumps over the lazy dog.'
const neighbours = ['No.', `${probe} It was a bright cold day in April, and the clocks were striking thirteen.`]

/** Numbers that the model has for a text; files often leave that open. */
export const rowLength = async (model: TextModel, tokenizer: TextTokenizer): Promise<number> =>
  (await model.evaluateNow([tokenizer.encode(probe, { truncate: 'right' })]))[0]?.length ?? 0

/** Of vectors of unit length, a cosine of 0.9999. */
const tolerance = Math.sqrt(2 * (1 - 0.9999))

/**
 * Whether what the model says of a text changes with the texts beside it: so do models whose quantisation takes one
 * scale for the whole batch, and models that take no mask.
 */
export const dependsOnNeighbours = async (model: TextModel, tokenizer: TextTokenizer): Promise<boolean> => {
  const encode = (text: string) => tokenizer.encode(text, { truncate: 'right' })
  const [alone] = await model.evaluateNow([encode(probe)])
  const among = (await model.evaluateNow([probe, ...neighbours].map(encode)))[0]
  return !alone || !among || distance(alone, among) > tolerance * Math.max(1, distance(alone, []))
}

/** A short vector continues with zeros. */
const distance = (one: ArrayLike<number>, other: ArrayLike<number>): number => {
  let sum = 0
  for (let index = 0; index < one.length; index += 1) sum += ((one[index] ?? 0) - (other[index] ?? 0)) ** 2
  return Math.sqrt(sum)
}
