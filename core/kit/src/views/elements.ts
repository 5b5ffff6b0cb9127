import type { Pacer } from '../async/pacer.js'
import { rewritten } from './edited.js'
import type { Edit } from './edited.js'
import { matchesInTurns } from './matches.js'
import type { View } from './view.js'

/** Names of elements of HTML that stand in words. */
export const inlineElements =
  'a|abbr|b|bdi|bdo|big|cite|code|del|dfn|em|font|i|ins|kbd|mark|nobr|q|s|samp|small|span|strike|strong|sub|sup|tt|u|var|wbr'

/** UTF-16 units of an element, and what stands in it: no address. */
const longestElement = 100
const content = `[^<>@]{0,${longestElement - 4}}`
const element = `(?:</?[a-zA-Z]${content}>|<!--${content}-->)`
const elements = new RegExp(String.raw`${element}(?:\s{0,8}${element}){0,7}`, 'g')
const longest = 1024
/** At the end of a text that goes on. */
const unfinished = new RegExp(`<(?:/?[a-zA-Z]${content}|/|!-?|!--${content})?$`)

const inWords = new RegExp(`^(?:</?(?:${inlineElements})(?![a-zA-Z])[^>]*>|<!--[^>]*>)*$`, 'i')

/** What is seen in the place of elements: nothing within a word, or the line between two cells. */
const shownFor = (match: string): string => (inWords.test(match) ? '' : '|')

/**
 * The text as whoever reads a page sees it, without its elements; undefined where there are none.
 * @param grows whether the text may go on
 */
export const shownView = async (view: View, pacer: Pacer, grows = false): Promise<View | undefined> => {
  const { text } = view
  if (!text.includes('<')) return undefined
  const edits: Edit[] = []
  for (const found of matchesInTurns(text, elements, { before: 0, longest })) {
    if (found) edits.push({ start: found.index, end: found.index + found.match.length, reads: shownFor(found.match) })
    else await pacer.pause()
  }
  const last = grows && unfinished.exec(text.slice(-longestElement))
  if (last) edits.push({ start: text.length - last[0].length, end: text.length, reads: '' })
  return rewritten(view, edits)
}
