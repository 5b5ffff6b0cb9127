/** What is written over elements of HTML, comments among them, which whoever reads the page does not see. */

const tag = String.raw`(?:</?[a-zA-Z][^<>@]{0,48}>|<!--[^<>]{0,48}-->)`

/** One or more of them beside each other. */
export const tags = `(?:\\s{0,8}${tag}){1,4}\\s{0,8}`

/** The same within a word: no blanks. */
export const inlineTags = `(?:${tag}){1,4}`

const any = new RegExp(`${tag}|\\s+`, 'g')

/** What is left to be read; `places` says where each of its units stands in the original. */
export const untagged = (text: string): { readonly text: string; readonly places: readonly number[] } => {
  const parts: string[] = []
  const places: number[] = []
  let from = 0
  const take = (to: number) => {
    parts.push(text.slice(from, to))
    for (let at = from; at < to; at += 1) places.push(at)
  }
  for (const { 0: gone, index } of text.matchAll(any)) {
    take(index)
    from = index + gone.length
  }
  take(text.length)
  return { text: parts.join(''), places }
}
