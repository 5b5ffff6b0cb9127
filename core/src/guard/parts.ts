/** Texts that a request brings in parts: models read them as one, so they are checked as one, too. */

import type { AnyFields } from '../capabilities/fields.js'
import { nameOf, rewriteTexts, textsOf } from './walk.js'
import type { Steps, TextSite } from './walk.js'

/** A text that has more than one part. */
export interface JoinedParts {
  /** Where its first part stands. */
  readonly path: Steps
  readonly text: string
  /** Where each part ends. */
  readonly cuts: readonly number[]
}

/** Parts of one text differ in their last position only. */
const wholeOf = (path: Steps): string => {
  const last = path.findLastIndex((step) => typeof step === 'number')
  return nameOf(path.filter((_, at) => at !== last))
}

export const joinParts = (sites: readonly TextSite[]): readonly JoinedParts[] => [...partsByWhole(sites).values()]

const partsByWhole = (sites: readonly TextSite[]): Map<string, JoinedParts> => {
  const parts = new Map<string, TextSite[]>()
  for (const site of sites)
    if (site.leaf === 'part') {
      const whole = wholeOf(site.path)
      const texts = parts.get(whole)
      if (texts) texts.push(site)
      else parts.set(whole, [site])
    }
  const wholes = [...parts].flatMap(([whole, [first, ...rest]]) =>
    first && rest.length
      ? [
          [
            whole,
            {
              path: first.path,
              ...joined(
                [first, ...rest].map(({ text }) => text),
                '',
              ),
            },
          ] as const,
        ]
      : [],
  )
  return new Map(wholes)
}

/** One text of several, and where each of them ends in it. */
export const joined = (texts: readonly string[], separator: string): Pick<JoinedParts, 'text' | 'cuts'> => {
  let end = -separator.length
  return { text: texts.join(separator), cuts: texts.map(({ length }) => (end += separator.length + length)) }
}

/** Rewrites texts in parts as wholes: the first part carries what became of a text that changed, the others nothing. */
export const rewriteParts = async (
  fields: AnyFields,
  value: unknown,
  rewrite: (joined: string) => Promise<string>,
): Promise<unknown> => {
  const changed = new Map<string, string>()
  for (const [whole, { text }] of partsByWhole(textsOf(fields, value))) {
    const rewritten = await rewrite(text)
    if (rewritten !== text) changed.set(whole, rewritten)
  }
  if (!changed.size) return value
  const placed = new Set<string>()
  return rewriteTexts(fields, value, ({ leaf, path, text }) => {
    const whole = wholeOf(path)
    const rewritten = leaf === 'part' ? changed.get(whole) : undefined
    if (rewritten === undefined) return text
    const first = !placed.has(whole)
    placed.add(whole)
    return first ? rewritten : ''
  })
}
