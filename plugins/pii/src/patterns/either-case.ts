/** Sources of patterns, with `|` between words, for words with or without a capital. */
export const either = (words: string): string =>
  words.replace(/(?<![^|])\p{Ll}/gu, (letter) => `[${letter}${letter.toUpperCase()}]`)
