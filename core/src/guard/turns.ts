/** Neighbouring turns of one speaker: templates put them one after the other, so an attack may be split over them. */

import type { MethodDeclaration } from '../capabilities/capability.js'
import { joined } from './parts.js'
import type { Steps, TextSite } from './walk.js'

/** Turns of one speaker as one text, a line for each. */
export interface JoinedTurns {
  /** Where the first of its texts stands. */
  readonly path: Steps
  readonly text: string
  /** Where each turn ends. */
  readonly cuts: readonly number[]
}

interface Turn {
  readonly path: Steps
  readonly speaker: unknown
  text: string
}

/** Who speaks in the turn that a place of the request lies in; undefined outside of turns. */
export const speakerAt = ({ turns }: MethodDeclaration, request: unknown, [list, position]: Steps): unknown => {
  if (!turns || list !== turns.list || typeof position !== 'number') return undefined
  const items = (request as Readonly<Record<string, readonly Readonly<Record<string, unknown>>[] | undefined>>)[list]
  return items?.[position]?.[turns.speaker]
}

/** The runs of two or more turns of one speaker. Turns that say nothing separate no others. */
export const joinTurns = (
  declaration: MethodDeclaration,
  request: unknown,
  sites: readonly TextSite[],
): readonly JoinedTurns[] => {
  const { turns: declared } = declaration
  if (!declared) return []
  const turns = new Map<number, Turn>()
  for (const { path, text } of sites) {
    const [list, position, field] = path
    if (list !== declared.list || typeof position !== 'number' || field !== declared.text) continue
    const turn = turns.get(position)
    if (turn) turn.text += text
    else turns.set(position, { path, text, speaker: speakerAt(declaration, request, path) })
  }
  return runsOf([...turns.values()].filter(({ text }) => text.trim())).flatMap(([first, ...rest]) =>
    first && rest.length
      ? {
          path: first.path,
          ...joined(
            [first, ...rest].map(({ text }) => text),
            '\n',
          ),
        }
      : [],
  )
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
