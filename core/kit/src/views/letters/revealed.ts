import type { Pacer } from '../../async/pacer.js'
import { rewritten } from '../edited.js'
import type { Edit, EditedView } from '../edited.js'
import { matchesInTurns } from '../matches.js'
import type { View } from '../view.js'
import { splitWord, maxSplitLength, joinSplitWords } from './split-words.js'
import type { Vocabulary } from './split-words.js'

/** Letters that digits and signs stand for. */
export const leetLetters: Readonly<Record<string, string>> = {
  ...{ '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't' },
  ...{ '@': 'a', $: 's', '!': 'i', '|': 'l' },
}

/** Spelled words: `i g n o r e`, `i.g.n.o.r.e`. */
const spelled = /(?<![\p{L}\p{N}])\p{L}(?:[ ._*-]\p{L}){2,40}(?![\p{L}\p{N}])/giu
/** Words with digits or signs between or before letters, `pr3v10us`, that are no escape, `\u0e8a`. */
const leet =
  /(?<![\p{L}\p{N}@$!|]|\\(?=[ux][\da-f]{2}))(?=[\d@$!|]{0,3}[a-z])(?=[a-z]{0,23}[\d@$!|])[a-z\d@$!|]{3,24}(?![\p{L}\p{N}@$|])/giu
const splitOrLeet = new RegExp(`${splitWord.source}|${leet.source}`, 'giu')
const sign = /[013457@$!|]/g
const signInside = /[013457@$!|](?=[013457@$!|]{0,3}[a-z])/i

/** UTF-16 code units before a match that its look-behind needs. */
const lookBehind = 4

/** A view with matches of a pattern replaced; undefined where nothing is. */
const replaceMatches = async (
  view: View,
  hidden: RegExp,
  plainOf: (match: string) => string | undefined,
  pacer: Pacer,
): Promise<EditedView | undefined> => {
  const edits: Edit[] = []
  for (const found of matchesInTurns(view.text, hidden, { before: lookBehind, maxLength: maxSplitLength })) {
    const replacement = found && plainOf(found.match)
    if (!found) await pacer.pause()
    else if (replacement !== undefined)
      edits.push({ start: found.index, end: found.index + found.match.length, replacement })
  }
  return rewritten(view, edits)
}

/** The text with spelled words joined; undefined where there are none. */
export const spelledView = (view: View, pacer: Pacer): Promise<EditedView | undefined> =>
  replaceMatches(view, spelled, (match) => match.replace(/[ ._*-]/g, ''), pacer)

/**
 * The text with digits and signs in words read as letters, and known words that are split or written in look-alikes.
 */
export const revealedView = (view: View, pacer: Pacer, words?: Vocabulary): Promise<EditedView | undefined> =>
  words
    ? replaceMatches(view, splitOrLeet, (match) => joinSplitWords(match, words) ?? withLettersInside(match), pacer)
    : replaceMatches(view, leet, withLetters, pacer)

const withLetters = (match: string): string | undefined =>
  signInside.test(match) ? match.replace(sign, (one) => leetLetters[one] ?? one) : undefined

const withLettersInside = (match: string): string | undefined => {
  const plain = match.replace(leet, (one) => withLetters(one) ?? one)
  return plain === match ? undefined : plain
}
