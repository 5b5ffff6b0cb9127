/** What is tried on a model while it is loaded. */

import type { Tensor } from '@sallyport/core'
import type { Session } from '../session/ort-session.js'
import type { TextTokenizer } from '../text/tokenizer.js'
import { textInputs } from './text-inputs.js'
import type { TextModel } from './text-model.js'

/** Lengths to try, in tokens, where a model's files do not tell its own. */
const candidates = [512, 256, 128, 64, 32]

type Blank = Readonly<Record<string, Tensor>>

/** Whether the model evaluates a text of so many tokens. */
export const evaluates = async (
  length: number,
  session: Session,
  output: string,
  blank: Blank = {},
): Promise<boolean> => {
  const text = { ids: new Array<number>(length).fill(0) }
  const run = session.run({ ...textInputs([text], session.inputs, 0), ...blank }, [output])
  const [result] = await Promise.allSettled([run])
  return result.status === 'fulfilled'
}

/** The longest of some usual lengths that the model evaluates; undefined where it evaluates none. */
export const maxEvaluated = async (session: Session, output: string, blank?: Blank): Promise<number | undefined> => {
  for (const length of candidates) if (await evaluates(length, session, output, blank)) return length
  return undefined
}

const probe = 'The quick brown fox jumps over the lazy dog.'

/** Texts of different lengths, scripts and kinds of content: scales that a file takes from a batch differ with them. */
const trialTexts = [
  probe,
  'No.',
  '3.14159, 2718281828, +44 20 7946 0958',
  'Широкая электрификация южных губерний; 我能吞下玻璃而不伤身体。',
  "if (a[i] !== b[i]) { throw new Error('\\x00') } // $%&@#~",
  '👍🏽👍🏽👍🏽 !!! ???',
  'It was a bright cold day in April, and the clocks were striking thirteen. '.repeat(4),
]

/** Nobody waits for it but the model, and it has no deadline. */
const loading = { tenant: '', signal: new AbortController().signal }

const encoded = (tokenizer: TextTokenizer, text: string) => tokenizer.encode(text, { truncate: 'right' }, loading)

/** Numbers that the model has for a text; files often leave that open. */
export const rowLength = async (model: TextModel, tokenizer: TextTokenizer): Promise<number> =>
  (await model.evaluateNow([await encoded(tokenizer, probe)]))[0]?.length ?? 0

/** Whether two rows say the same of a text. */
export type Agree = (one: Float32Array, other: Float32Array) => boolean

/** Their distance is below that of two unit vectors with a cosine of 0.9999, measured by the length of the first. */
export const vectorsAgree: Agree = (one, other) =>
  distance(one, other) <= Math.sqrt(2 * (1 - 0.9999)) * distance(one, [])

/** In each number by 0.02, which changes a score by 0.005 at most. */
export const logitsAgree: Agree = (one, other) =>
  one.every((logit, index) => Math.abs(logit - (other[index] ?? 0)) <= 0.02)

/**
 * Whether what the model says of texts changes with the texts beside them: so do models whose quantisation takes one
 * scale for the whole batch, and models that take no mask.
 */
export const dependsOnNeighbours = async (
  model: TextModel,
  tokenizer: TextTokenizer,
  agree: Agree,
): Promise<boolean> => {
  const all = await Promise.all(trialTexts.map((text) => encoded(tokenizer, text)))
  const encodings = all.filter(({ ids }) => ids.length > 0).slice(0, model.maxTexts)
  const among = await model.evaluateNow(encodings)
  for (const [index, encoding] of encodings.entries()) {
    const [alone] = await model.evaluateNow([encoding])
    const beside = among[index]
    if (!alone || !beside || !agree(alone, beside)) return true
  }
  return false
}

/** A short vector continues with zeros. */
const distance = (one: ArrayLike<number>, other: ArrayLike<number>): number => {
  let sum = 0
  for (let index = 0; index < one.length; index += 1) sum += ((one[index] ?? 0) - (other[index] ?? 0)) ** 2
  return Math.sqrt(sum)
}
