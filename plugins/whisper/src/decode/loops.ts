/** Tokens of a phrase that is looked for. */
const longestPhrase = 40
/** How often a phrase is said at the end, and how many tokens that makes, where a model does not come out of it. */
const least = { times: 4, tokens: 32 }

/** Length of the phrase that the tokens end with again and again; undefined where they do not. */
export const repeatedPhrase = (tokens: readonly number[]): number | undefined => {
  for (let length = 1; length <= longestPhrase; length += 1) {
    const span = Math.max(least.times * length, least.tokens)
    if (span > tokens.length) return undefined
    if (isPeriodic(tokens, length, span)) return length
  }
  return undefined
}

const isPeriodic = (tokens: readonly number[], length: number, span: number): boolean => {
  for (let at = tokens.length - 1; at >= tokens.length - span + length; at -= 1)
    if (tokens[at] !== tokens[at - length]) return false
  return true
}
