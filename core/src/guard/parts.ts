/** Texts that a request brings in parts: models read them as one, so they are checked as one, too. */

import type { AnyFields } from '../capabilities/fields.js'
import { rewriteTexts, textsOf } from './walk.js'
import type { TextSite } from './walk.js'

/** `messages[0].content[1].text` is a part of `messages[0].content[].text`. */
const wholeOf = (path: string): string => path.replace(/\[\d+\](?!.*\[\d+\])/, '[]')

/** The texts that have more than one part, by where they stand. */
export const joinParts = (sites: readonly TextSite[]): Map<string, string> => {
  const parts = new Map<string, string[]>()
  for (const { leaf, path, text } of sites)
    if (leaf === 'part') {
      const whole = wholeOf(path)
      parts.set(whole, [...(parts.get(whole) ?? []), text])
    }
  return new Map([...parts].filter(([, texts]) => texts.length > 1).map(([whole, texts]) => [whole, texts.join('')]))
}

/** Rewrites texts in parts as wholes: the first part carries what became of a text that changed, the others nothing. */
export const rewriteParts = async (
  fields: AnyFields,
  value: unknown,
  rewrite: (joined: string) => Promise<string>,
): Promise<unknown> => {
  const changed = new Map<string, string>()
  for (const [whole, joined] of joinParts(textsOf(fields, value))) {
    const rewritten = await rewrite(joined)
    if (rewritten !== joined) changed.set(whole, rewritten)
  }
  if (!changed.size) return value
  const placed = new Set<string>()
  return rewriteTexts(fields, value, ({ leaf, path, text }) => {
    const rewritten = leaf === 'part' ? changed.get(wholeOf(path)) : undefined
    if (rewritten === undefined) return text
    const first = !placed.has(wholeOf(path))
    placed.add(wholeOf(path))
    return first ? rewritten : ''
  })
}
