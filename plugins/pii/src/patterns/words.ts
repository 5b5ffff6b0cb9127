/** The source of a pattern for a text; both kinds of apostrophes match. */
export const escapeRegExp = (text: string) =>
  text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`).replace(/['’]/g, "['’]")

/**
 * The source of a pattern for one of many words, as a trie, so that few characters show that none matches. Where a word
 * is a prefix of another, the longest matches.
 */
export const wordTrie = (words: readonly string[]): string => {
  const rests = new Map<string, string[]>()
  let ends = false
  for (const word of new Set(words)) {
    const [first] = word
    if (first === undefined) ends = true
    else rests.set(first, [...(rests.get(first) ?? []), word.slice(first.length)])
  }
  const alternatives = [...rests].map(([first, rest]) => escapeRegExp(first) + wordTrie(rest))
  if (alternatives.length === 0) return ''
  const [only = ''] = alternatives
  if (alternatives.length === 1 && !ends) return only
  return `(?:${alternatives.join('|')})${ends ? '?' : ''}`
}

/** The source of a pattern for words, separated by `|`, with or without a capital. */
export const eitherCase = (words: string): string =>
  words.replace(/(?<![^|])\p{Ll}/gu, (letter) => `[${letter}${letter.toUpperCase()}]`)
