/** Mail addresses, which patterns find, and which a model of names reads letter by letter. */

import type { Pacer } from '@sallyport/kit/async'
import { asItStands, rewritten } from '@sallyport/kit/views'
import type { Span, View } from '@sallyport/kit/views'

/** It consists of frequent words: a text of nothing but these is not shown to a model at all. */
const standIn = 'me@a.it'

/** Nothing that the recogniser does not find as a whole. */
const local = String.raw`[\p{L}\p{N}._%+'-]`
const address = new RegExp(
  String.raw`(?<!${local})[\p{L}\p{N}_%+]${local}{0,63}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}[a-z]{2,24}(?![\p{L}\p{N}@_-]|\.[\p{L}\p{N}])`,
  'gu',
)

/** UTF-16 units of an address before its sign, and from there on with what follows it. */
const [maxLocal, maxRest] = [64, 1 + 8 * 64 + 24 + 3]
/** Signs that are looked at without a pause. */
const signsAtOnce = 64

/** Around each sign, as a search through all of a text would hold the event loop. */
const addressesIn = async (text: string, pacer: Pacer): Promise<Span[]> => {
  const found: Span[] = []
  let [from, signs] = [0, 0]
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', Math.max(at + 1, from))) {
    const begin = Math.max(0, at - maxLocal - 1)
    // not at the first unit, before which there may be more of the same
    address.lastIndex = Math.max(begin > 0 ? 1 : 0, from - begin)
    const match = address.exec(text.slice(begin, at + maxRest))
    if (match) {
      from = begin + match.index + match[0].length
      found.push({ start: begin + match.index, end: from })
    }
    if (++signs % signsAtOnce === 0) await pacer.pause()
  }
  return found
}

/** The text with a short address in the place of each plain one. Every unit of it is all that it stands for. */
export const withShortAddresses = async (text: string, pacer: Pacer): Promise<View> => {
  const found = (await addressesIn(text, pacer)).filter(({ start, end }) => end - start > standIn.length)
  const shown = asItStands(text)
  return (
    rewritten(
      shown,
      found.map((span) => ({ ...span, reads: standIn })),
    ) ?? shown
  )
}
