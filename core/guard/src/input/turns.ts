/** Joins neighbouring turns. Chat templates put some of them together, so an attack or a number may be split over them. */

import type { MethodDeclaration, Origin } from '@sallyport/core'
import { joinSites } from './parts.js'
import type { JoinedTexts } from './parts.js'
import type { Path, TextSite } from '../fields/walk.js'

/** One turn and its texts. */
interface Turn {
  readonly speaker: unknown
  readonly sites: [TextSite, ...TextSite[]]
  text: string
}

type Run = readonly [Turn, ...Turn[]]

/** The speaker of the turn at a path of the request; undefined outside of turns. */
export const speakerAt = ({ turns }: MethodDeclaration, request: unknown, [list, position]: Path): unknown => {
  if (!turns || list !== turns.list || typeof position !== 'number') return undefined
  const items = (request as Readonly<Record<string, readonly Readonly<Record<string, unknown>>[] | undefined>>)[list]
  return items?.[position]?.[turns.speaker]
}

/** The declared origin of a text of a request. */
export const turnOrigin = (declaration: MethodDeclaration, request: unknown, path: Path): Origin | undefined =>
  originNamed(declaration.turns?.origins, speakerAt(declaration, request, path)) ??
  originNamed(declaration.origins, path[0])

const originNamed = (origins: MethodDeclaration['origins'] = {}, name: unknown): Origin | undefined =>
  typeof name === 'string' && Object.hasOwn(origins, name) ? origins[name] : undefined

/**
 * Joins the runs of two or more turns of one speaker, and the seams where a run continues the one before. Blank turns are
 * ignored.
 */
export const joinTurns = (
  declaration: MethodDeclaration,
  request: unknown,
  sites: readonly TextSite[],
): readonly JoinedTexts[] => {
  const runs = runsOf(turnsOf(declaration, request, sites))
  return [
    ...runs.filter(({ length }) => length > 1).map((run) => joinLines(run, run.map(textOf))),
    ...runs.flatMap((run, at) => {
      const next = runs[at + 1]
      if (!next || !isContinuedBy(declaration, run, next)) return []
      const seam = [run.map(textOf).join('\n').slice(-seamLength), next.map(textOf).join('\n').slice(0, seamLength)]
      return [joinLines(next, seam, (seam[0]?.length ?? 0) + 1)]
    }),
  ]
}

/** The texts of neighbouring turns that models may read as one, for each chain of at least two. */
export const adjacentTurns = (
  declaration: MethodDeclaration,
  request: unknown,
  sites: readonly TextSite[],
): readonly (readonly TextSite[])[] => {
  const chains: Run[] = []
  for (const run of runsOf(turnsOf(declaration, request, sites))) {
    const last = chains.at(-1)
    if (last && isContinuedBy(declaration, [last.at(-1) ?? last[0]], run)) chains.splice(-1, 1, [...last, ...run])
    else chains.push(run)
  }
  return chains.filter(({ length }) => length > 1).map((turns) => turns.flatMap((turn) => turn.sites))
}

/** UTF-16 units on each side of a seam between two speakers. */
const seamLength = 256

const textOf = ({ text }: Turn): string => text

const joinLines = ([{ sites }]: Run, texts: readonly string[], from?: number): JoinedTexts => ({
  ...joinSites(sites, '\n', texts),
  ...(from !== undefined && { from }),
})

const isContinuedBy = ({ turns }: MethodDeclaration, [{ speaker }]: Run, [next]: Run): boolean =>
  typeof speaker === 'string' && turns?.before?.[speaker] === next.speaker

const turnsOf = (declaration: MethodDeclaration, request: unknown, sites: readonly TextSite[]): Turn[] => {
  const { turns: declared } = declaration
  if (!declared) return []
  const turns = new Map<number, Turn>()
  for (const site of sites) {
    const [list, position, field] = site.path
    if (list !== declared.list || typeof position !== 'number' || field !== declared.text) continue
    const turn = turns.get(position)
    if (turn) {
      turn.sites.push(site)
      turn.text += site.text
    } else turns.set(position, { speaker: speakerAt(declaration, request, site.path), sites: [site], text: site.text })
  }
  return [...turns.values()].filter(({ text }) => text.trim())
}

const runsOf = (turns: readonly Turn[]): Run[] => {
  const runs: [Turn, ...Turn[]][] = []
  for (const turn of turns) {
    const last = runs.at(-1)
    if (last && last[0].speaker === turn.speaker) last.push(turn)
    else runs.push([turn])
  }
  return runs
}
