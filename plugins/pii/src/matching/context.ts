/** UTF-16 units before a match in which words tell what it is. What stands behind it is not known yet in a stream. */
export const contextLength = 64

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Finds one of the words, where it begins. */
export const contextPattern = (words: readonly string[] = []): RegExp | undefined =>
  words.length ? new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${words.map(wordPattern).join('|')})`, 'iu') : undefined

/** Short words count as a whole only: `pan` is not in `panel`. */
const wordPattern = (word: string) => escaped(word) + (word.length <= 4 ? String.raw`(?!\p{L})` : '')

export const hasContext = (text: string, start: number, pattern: RegExp | undefined): boolean =>
  pattern?.test(text.slice(Math.max(0, start - contextLength), start)) ?? false
