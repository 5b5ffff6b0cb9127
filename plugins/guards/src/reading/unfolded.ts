import type { Pacer } from '@sallyport/kit/async'
import { disguised, longestDisguised, undisguised } from './disguised.js'
import { letters } from './leet.js'
import { Rewritten } from './rewritten.js'
import type { View } from './view.js'

/** Letters one by one: `i g n o r e`, `i.g.n.o.r.e`. */
const spelled = /(?<![\p{L}\p{N}])\p{L}(?:[ ._*-]\p{L}){2,40}(?![\p{L}\p{N}])/u
/** Words with digits or signs between or before letters, `pr3v10us`, that are no escape, `\u0e8a`. */
const leet =
  /(?<![\p{L}\p{N}@$!|]|\\(?=[ux][\da-f]{2}))(?=[\d@$!|]{0,3}[a-z])(?=[a-z]{0,23}[\d@$!|])[a-z\d@$!|]{3,24}(?![\p{L}\p{N}@$|])/iu
const sign = /[013457@$!|]/g
const signInside = /[013457@$!|](?=[013457@$!|]{0,3}[a-z])/i

/** UTF-16 units that are searched between two pauses. */
const slice = 32_768
/** UTF-16 units of the longest match, and of what is looked at behind and before one. */
const longestMatch = longestDisguised
const longestBefore = 4

/** What may be hidden, in order; undefined where others may have their turn. */
function* hiddenIn(
  text: string,
  hidden: RegExp,
): Generator<{ readonly match: string; readonly index: number } | undefined> {
  for (let from = 0; from < text.length;) {
    const to = wholeCharacter(text, from + slice)
    const begin = Math.max(0, from - longestBefore)
    const window = text.slice(begin, to + longestMatch)
    let next = to
    hidden.lastIndex = from - begin
    for (const { 0: match, index } of window.matchAll(hidden)) {
      if (begin + index >= to) break
      next = Math.max(to, begin + index + match.length)
      yield { match, index: begin + index }
    }
    from = next
    yield undefined
  }
}

/** The position, or the next one where it is inside a surrogate pair. */
const wholeCharacter = (text: string, position: number): number =>
  (text.codePointAt(position - 1) ?? 0) > 0xffff ? position + 1 : position

/** A text with what a pattern finds read in another way; undefined where there is nothing. */
const rewrittenView = async (
  view: View,
  hidden: RegExp,
  plainOf: (match: string) => string | undefined,
  pacer: Pacer,
): Promise<View | undefined> => {
  const text = new Rewritten()
  let from = 0
  for (const found of hiddenIn(view.text, hidden)) {
    const plain = found && plainOf(found.match)
    if (found && plain !== undefined) {
      const { match, index } = found
      text.copy(view.text, from, index)
      text.replace(plain, index, index + match.length)
      from = index + match.length
    }
    await pacer.pause()
  }
  if (from === 0) return undefined
  text.copy(view.text, from, view.text.length)
  return text.view(view)
}

const joined = (match: string): string => match.replace(/[ ._*-]/g, '')
const withLetters = (match: string): string | undefined =>
  signInside.test(match) ? match.replace(sign, (one) => letters[one] ?? one) : undefined

const spelledOnly = new RegExp(spelled, 'giu')
const leetOnly = new RegExp(leet, 'giu')
const spelledOrLeet = new RegExp(`${spelled.source}|${leet.source}`, 'giu')
const disguisedOrLeet = new RegExp(`${disguised.source}|${leet.source}`, 'giu')

/** The text with spelled words joined; undefined where there are none. */
export const spelledView = (view: View, pacer: Pacer): Promise<View | undefined> =>
  rewrittenView(view, spelledOnly, joined, pacer)

/** The text with spelled words joined and digits in words read as letters; undefined where there are none. */
export const unfoldedView = (view: View, pacer: Pacer): Promise<View | undefined> =>
  rewrittenView(
    view,
    spelledOrLeet,
    (match) => (/^\p{L}[ ._*-]\p{L}/u.test(match) ? joined(match) : withLetters(match)),
    pacer,
  )

/** … with digits in words read as letters, and words of attacks that are in pieces or in look-alikes as they are read. */
export const revealedView = (view: View, pacer: Pacer): Promise<View | undefined> =>
  rewrittenView(view, disguisedOrLeet, (match) => undisguised(match) ?? withLettersInside(match), pacer)

const withLettersInside = (match: string): string | undefined => {
  const plain = match.replace(leetOnly, (one) => withLetters(one) ?? one)
  return plain === match ? undefined : plain
}
