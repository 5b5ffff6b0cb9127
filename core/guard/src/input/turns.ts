/** Neighbouring turns: templates put some of them one after the other, so an attack or a number may be split over them. */

import type { MethodDeclaration, Origin } from '@sallyport/core'
import { joined } from './parts.js'
import type { JoinedTexts } from './parts.js'
import type { Steps, TextSite } from '../fields/walk.js'

/** What is said in one turn. */
interface Turn {
  readonly speaker: unknown
  readonly sites: [TextSite, ...TextSite[]]
  text: string
}

type Run = readonly [Turn, ...Turn[]]

/** Who speaks in the turn that a place of the request lies in; undefined outside of turns. */
export const speakerAt = ({ turns }: MethodDeclaration, request: unknown, [list, position]: Steps): unknown => {
  if (!turns || list !== turns.list || typeof position !== 'number') return undefined
  const items = (request as Readonly<Record<string, readonly Readonly<Record<string, unknown>>[] | undefined>>)[list]
  return items?.[position]?.[turns.speaker]
}

/** Where a text of a request comes from, as its declaration says it. */
export const turnOrigin = (declaration: MethodDeclaration, request: unknown, path: Steps): Origin | undefined =>
  named(declaration.turns?.origins, speakerAt(declaration, request, path)) ?? named(declaration.origins, path[0])

const named = (origins: MethodDeclaration['origins'] = {}, name: unknown): Origin | undefined =>
  typeof name === 'string' && Object.hasOwn(origins, name) ? origins[name] : undefined

/**
 * The runs of two or more turns of one speaker, and where one run goes on in another. Turns that say nothing separate
 * no others.
 */
export const joinTurns = (
  declaration: MethodDeclaration,
  request: unknown,
  sites: readonly TextSite[],
): readonly JoinedTexts[] => {
  const runs = runsOf(turnsOf(declaration, request, sites))
  return [
    ...runs.filter(({ length }) => length > 1).map((run) => joinedLines(run, run.map(textOf))),
    ...runs.flatMap((run, at) => {
      const next = runs[at + 1]
      if (!next || !goesOn(declaration, run, next)) return []
      const seam = [run.map(textOf).join('\n').slice(-seamLength), next.map(textOf).join('\n').slice(0, seamLength)]
      return [joinedLines(next, seam, (seam[0]?.length ?? 0) + 1)]
    }),
  ]
}

/** The texts of neighbouring turns that models may read as one, where there are several. */
export const stretchesOf = (
  declaration: MethodDeclaration,
  request: unknown,
  sites: readonly TextSite[],
): readonly (readonly TextSite[])[] => {
  const stretches: Run[] = []
  for (const run of runsOf(turnsOf(declaration, request, sites))) {
    const last = stretches.at(-1)
    if (last && goesOn(declaration, [last.at(-1) ?? last[0]], run)) stretches.splice(-1, 1, [...last, ...run])
    else stretches.push(run)
  }
  return stretches.filter(({ length }) => length > 1).map((turns) => turns.flatMap((turn) => turn.sites))
}

/** UTF-16 units on each side of where one speaker's text goes on in another's. */
const seamLength = 256

const textOf = ({ text }: Turn): string => text

const joinedLines = ([{ sites }]: Run, texts: readonly string[], from?: number): JoinedTexts => ({
  ...joined(sites, '\n', texts),
  ...(from !== undefined && { from }),
})

const goesOn = ({ turns }: MethodDeclaration, [{ speaker }]: Run, [next]: Run): boolean =>
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
