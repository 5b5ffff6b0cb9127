import type { Pacer } from '../async/pacer.js'
import { rewritten } from './edited.js'
import type { Edit } from './edited.js'
import { matchesInTurns } from './matches.js'
import type { View } from './view.js'

/** Names of elements of HTML that occur inside words. */
export const inlineElements =
  'a|abbr|b|bdi|bdo|big|cite|code|del|dfn|em|font|i|ins|kbd|mark|nobr|q|s|samp|small|span|strike|strong|sub|sup|tt|u|var|wbr'

/** UTF-16 code units of an element. Its content may not hold the sign of an address. */
const maxElementLength = 100
const content = `[^<>@]{0,${maxElementLength - 4}}`
const element = `(?:</?[a-zA-Z]${content}>|<!--${content}-->)`
const elements = new RegExp(String.raw`${element}(?:\s{0,8}${element}){0,7}`, 'g')
const maxMatchLength = 1024
/** An element that the end of a growing text cuts off. */
const unfinished = new RegExp(`<(?:/?[a-zA-Z]${content}|/|!-?|!--${content})?$`)

const inWords = new RegExp(`^(?:</?(?:${inlineElements})(?![a-zA-Z])[^>]*>|<!--[^>]*>)*$`, 'i')

/** Elements within a word show nothing; others part words, as the line between two cells does. */
const replacementOf = (match: string): string => (inWords.test(match) ? '' : '|')

/**
 * The text as a browser shows it, without elements of HTML; undefined where there are none.
 * @param grows whether the text may go on
 */
export const shownView = async (view: View, pacer: Pacer, grows = false): Promise<View | undefined> => {
  const { text } = view
  if (!text.includes('<')) return undefined
  const edits: Edit[] = []
  for (const found of matchesInTurns(text, elements, { before: 0, maxLength: maxMatchLength })) {
    if (found)
      edits.push({ start: found.index, end: found.index + found.match.length, replacement: replacementOf(found.match) })
    else await pacer.pause()
  }
  const last = grows && unfinished.exec(text.slice(-maxElementLength))
  if (last) edits.push({ start: text.length - last[0].length, end: text.length, replacement: '' })
  return rewritten(view, edits)
}
