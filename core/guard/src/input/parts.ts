/** Texts that a request brings in parts: models read them as one, so they are checked as one, too. */

import { nameOf } from '../fields/walk.js'
import type { Steps, TextSite } from '../fields/walk.js'

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

/** Texts of more than one part. */
export const joinParts = (sites: readonly TextSite[]): readonly JoinedParts[] =>
  positionsOfWholes(sites).map((positions) => wholeAt(sites, positions))

/** Of the parts of each text that has several. */
const positionsOfWholes = (sites: readonly TextSite[]): number[][] => {
  const wholes = new Map<string, number[]>()
  for (const [at, { leaf, path }] of sites.entries()) {
    if (leaf !== 'part') continue
    const whole = wholeOf(path)
    const positions = wholes.get(whole)
    if (positions) positions.push(at)
    else wholes.set(whole, [at])
  }
  return [...wholes.values()].filter(({ length }) => length > 1)
}

const wholeAt = (sites: readonly TextSite[], positions: readonly number[]): JoinedParts => {
  const parts = positions.map((at) => sites[at]).filter((site) => site !== undefined)
  return {
    path: parts[0]?.path ?? [],
    ...joined(
      parts.map(({ text }) => text),
      '',
    ),
  }
}

/** One text of several, and where each of them ends in it. */
export const joined = (texts: readonly string[], separator: string): Pick<JoinedParts, 'text' | 'cuts'> => {
  let end = -separator.length
  return { text: texts.join(separator), cuts: texts.map(({ length }) => (end += separator.length + length)) }
}

/** Rewrites texts in parts as wholes: the first part carries what became of a text that changed, the others nothing. */
export const rewriteParts = async (
  sites: readonly TextSite[],
  rewrite: (whole: string) => Promise<string>,
): Promise<readonly TextSite[]> => {
  const changed = new Map<number, string>()
  for (const positions of positionsOfWholes(sites)) {
    const { text } = wholeAt(sites, positions)
    const rewritten = await rewrite(text)
    if (rewritten !== text) for (const at of positions) changed.set(at, at === positions[0] ? rewritten : '')
  }
  return changed.size ? sites.map((site, at) => ({ ...site, text: changed.get(at) ?? site.text })) : sites
}
