/** Neighbouring turns of one speaker: templates put them one after the other, so an attack may be split over them. */

import type { MethodDeclaration } from '../capabilities/capability.js'
import type { TextSite } from './walk.js'

/** Runs of turns of one speaker. */
export interface JoinedTurns {
  /** Each run as one text, a line for each turn. */
  readonly texts: readonly string[]
  /** Whether a place such as `messages[0].content[1].text` lies in one of the runs. */
  readonly holds: (path: string) => boolean
}

interface Turn {
  readonly position: number
  readonly speaker: unknown
  readonly text: string
}

/** Turns that say nothing separate no others. */
export const joinTurns = (
  { turns: declared }: MethodDeclaration,
  request: unknown,
  sites: readonly TextSite[],
): JoinedTurns => {
  if (!declared) return { texts: [], holds: () => false }
  const place = new RegExp(`^${declared.list}\\[(\\d+)\\]\\.${declared.text}(?=[.[]|$)`)
  const positionOf = (path: string) => Number(place.exec(path)?.[1] ?? NaN)
  const texts = new Map<number, string>()
  for (const { path, text } of sites) {
    const position = positionOf(path)
    if (!Number.isNaN(position)) texts.set(position, (texts.get(position) ?? '') + text)
  }
  const items = (request as Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>)[declared.list]
  const turns = [...texts].map(([position, text]) => ({
    position,
    speaker: items?.[position]?.[declared.speaker],
    text,
  }))
  const runs = runsOf(turns.filter(({ text }) => text)).filter((run) => run.length > 1)
  const held = new Set(runs.flat().map(({ position }) => position))
  return {
    texts: runs.map((run) => run.map(({ text }) => text).join('\n')),
    holds: (path) => held.has(positionOf(path)),
  }
}

const runsOf = (turns: readonly Turn[]): Turn[][] => {
  const runs: Turn[][] = []
  for (const turn of turns) {
    const last = runs.at(-1)
    if (last && last[0]?.speaker === turn.speaker) last.push(turn)
    else runs.push([turn])
  }
  return runs
}
