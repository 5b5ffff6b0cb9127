import type { Turns } from '@sallyport/core'
import { Rewritten } from './rewritten.js'
import type { View } from './view.js'

/** Letters that digits and signs stand for. */
const letters: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'l',
}

/** Letters one by one: `i g n o r e`, `i.g.n.o.r.e`. */
const spelled = /(?<![\p{L}\p{N}])\p{L}(?:[ ._*-]\p{L}){2,40}(?![\p{L}\p{N}])/u
/** Words with digits or signs between or before letters: `pr3v10us`. */
const leet = /(?<![\p{L}\p{N}@$!|])(?=[\d@$!|]{0,3}[a-z])[a-z\d@$!|]{3,24}(?![\p{L}\p{N}@$|])/iu
const hidden = new RegExp(`${spelled.source}|${leet.source}`, 'giu')
const sign = /[013457@$!|]/g
const signInside = /[013457@$!|](?=[013457@$!|]{0,3}[a-z])/i

/** The text with spelled words joined and digits in words read as letters; undefined where there are none. */
export const unfoldedView = async (view: View, turns: Turns): Promise<View | undefined> => {
  const text = new Rewritten()
  let from = 0
  let changes = 0
  for (const { 0: match, index } of view.text.matchAll(hidden)) {
    const plain = unfolded(match)
    if (plain !== undefined) {
      text.copy(view.text, from, index)
      text.replace(plain, index, index + match.length)
      from = index + match.length
      changes += 1
    }
    await turns.pause()
  }
  if (changes < 2) return undefined
  text.copy(view.text, from, view.text.length)
  return text.view(view)
}

const unfolded = (match: string): string | undefined => {
  if (/^\p{L}[ ._*-]\p{L}/u.test(match)) return match.replace(/[ ._*-]/g, '')
  return signInside.test(match) ? match.replace(sign, (one) => letters[one] ?? one) : undefined
}
