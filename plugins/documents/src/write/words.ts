/** Scripts that put no spaces between words. */
const scriptWithoutSpaces =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}]/u

/** Counts words: tokens between white space with a letter or digit; by a dictionary in scripts without spaces. */
export const countWords = (text: string): number => {
  let count = 0
  for (const [token] of text.matchAll(/\S+/g)) {
    if (!/[\p{L}\p{N}]/u.test(token)) continue
    count += scriptWithoutSpaces.test(token) ? Math.max(1, countSegments(token)) : 1
  }
  return count
}

const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

const countSegments = (token: string): number => {
  let count = 0
  for (let start = 0; start < token.length; start += 1000)
    for (const { isWordLike } of segmenter.segment(token.slice(start, start + 1000))) if (isWordLike) count += 1
  return count
}
