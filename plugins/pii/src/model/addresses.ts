/** Mail addresses, which patterns find, and which a model of names reads letter by letter. */

import type { PlainReading } from '@sallyport/core'

/** Of frequent words: a text of nothing but these is not shown to a model at all. */
const standIn = 'me@a.it'

/** Nothing that the recogniser does not find as a whole. */
const local = String.raw`[\p{L}\p{N}._%+'-]`
const address = new RegExp(
  String.raw`(?<!${local})[\p{L}\p{N}_%+]${local}{0,63}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}[a-z]{2,24}(?![\p{L}\p{N}@_-]|\.[\p{L}\p{N}])`,
  'gu',
)

/** The text with a short address in the place of each plain one. Every unit of it is all that it stands for. */
export const withShortAddresses = (text: string): PlainReading => {
  const found = [...text.matchAll(address)].filter(([written]) => written.length > standIn.length)
  if (found.length === 0) return { text }
  const [starts, ends] = [new Uint32Array(text.length), new Uint32Array(text.length)]
  const parts: string[] = []
  let [from, length] = [0, 0]
  const copy = (to: number) => {
    parts.push(text.slice(from, to))
    for (; from < to; from += 1, length += 1) [starts[length], ends[length]] = [from, from + 1]
  }
  for (const { 0: written, index: start } of found) {
    copy(start)
    from = start + written.length
    parts.push(standIn)
    starts.fill(start, length, length + standIn.length)
    ends.fill(from, length, length + standIn.length)
    length += standIn.length
  }
  copy(text.length)
  return { text: parts.join(''), places: { starts, ends } }
}
