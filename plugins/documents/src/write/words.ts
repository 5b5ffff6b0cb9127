/** Scripts that put no spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}]/u

/** What has a letter or a digit in it, between white space; by a dictionary where there is none. */
export const countWords = (text: string): number => {
  let count = 0
  for (const [token] of text.matchAll(/\S+/g)) {
    if (!/[\p{L}\p{N}]/u.test(token)) continue
    count += unspaced.test(token) ? Math.max(1, segmented(token)) : 1
  }
  return count
}

const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

const segmented = (token: string): number => {
  let count = 0
  for (let start = 0; start < token.length; start += 1000)
    for (const { isWordLike } of segmenter.segment(token.slice(start, start + 1000))) if (isWordLike) count += 1
  return count
}
