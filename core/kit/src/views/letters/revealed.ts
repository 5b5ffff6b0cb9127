import type { Pacer } from '../../async/pacer.js'
import { rewritten } from '../edited.js'
import type { Edit, EditedView } from '../edited.js'
import { matchesInTurns } from '../matches.js'
import type { View } from '../view.js'
import { inPieces, longestInPieces, joinedPieces } from './pieces.js'
import type { Vocabulary } from './pieces.js'

/** Letters that digits and signs stand for. */
export const leetLetters: Readonly<Record<string, string>> = {
  ...{ '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't' },
  ...{ '@': 'a', $: 's', '!': 'i', '|': 'l' },
}

/** Letters one by one: `i g n o r e`, `i.g.n.o.r.e`. */
const spelled = /(?<![\p{L}\p{N}])\p{L}(?:[ ._*-]\p{L}){2,40}(?![\p{L}\p{N}])/giu
/** Words with digits or signs between or before letters, `pr3v10us`, that are no escape, `\u0e8a`. */
const leet =
  /(?<![\p{L}\p{N}@$!|]|\\(?=[ux][\da-f]{2}))(?=[\d@$!|]{0,3}[a-z])(?=[a-z]{0,23}[\d@$!|])[a-z\d@$!|]{3,24}(?![\p{L}\p{N}@$|])/giu
const inPiecesOrLeet = new RegExp(`${inPieces.source}|${leet.source}`, 'giu')
const sign = /[013457@$!|]/g
const signInside = /[013457@$!|](?=[013457@$!|]{0,3}[a-z])/i

/** UTF-16 units that are looked at before a match. */
const before = 4

/** A view with what a pattern finds read in another way; undefined where there is nothing. */
const withPlain = async (
  view: View,
  hidden: RegExp,
  plainOf: (match: string) => string | undefined,
  pacer: Pacer,
): Promise<EditedView | undefined> => {
  const edits: Edit[] = []
  for (const found of matchesInTurns(view.text, hidden, { before, longest: longestInPieces })) {
    const reads = found && plainOf(found.match)
    if (!found) await pacer.pause()
    else if (reads !== undefined) edits.push({ start: found.index, end: found.index + found.match.length, reads })
  }
  return rewritten(view, edits)
}

/** The text with spelled words joined; undefined where there are none. */
export const spelledView = (view: View, pacer: Pacer): Promise<EditedView | undefined> =>
  withPlain(view, spelled, (match) => match.replace(/[ ._*-]/g, ''), pacer)

/** The text with digits and signs in words read as letters, and known words that are in pieces or in look-alikes. */
export const revealedView = (view: View, pacer: Pacer, words?: Vocabulary): Promise<EditedView | undefined> =>
  words
    ? withPlain(view, inPiecesOrLeet, (match) => joinedPieces(match, words) ?? withLettersInside(match), pacer)
    : withPlain(view, leet, withLetters, pacer)

const withLetters = (match: string): string | undefined =>
  signInside.test(match) ? match.replace(sign, (one) => leetLetters[one] ?? one) : undefined

const withLettersInside = (match: string): string | undefined => {
  const plain = match.replace(leet, (one) => withLetters(one) ?? one)
  return plain === match ? undefined : plain
}
