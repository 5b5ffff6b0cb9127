import type { Vocabulary } from './vocabulary.js'

/** Seconds of sound without which it is not worth while to listen once more, and that are passed each time. */
const least = { rest: 1, progress: 3 }

/** What is taken of what the model said, and how much of the sound that was. */
export interface Said {
  /** Tokens of text. */
  readonly tokens: readonly number[]
  /** Seconds; from there on the model has to listen again. */
  readonly until: number
}

/**
 * The model says times in pairs around what it hears. It stops before the end of a long window where a sentence is
 * not complete, or where it has enough, so what comes behind the last time is left for another turn.
 */
export const saidWithin = (tokens: readonly number[], seconds: number, vocabulary: Vocabulary): Said => {
  const last = tokens.findLastIndex((token) => vocabulary.isTime(token))
  const until = last < 0 ? 0 : vocabulary.seconds(tokens[last] ?? 0)
  const isText = (token: number) => vocabulary.isText(token)
  if (until < least.progress || until > seconds - least.rest) return { tokens: tokens.filter(isText), until: seconds }
  return { tokens: tokens.slice(0, last).filter(isText), until }
}
