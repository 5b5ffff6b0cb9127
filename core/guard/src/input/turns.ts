/**
 * Joins neighbouring turns. Chat templates put some of them together, so an attack or a number may be split over them.
 */

import type { MethodDeclaration, Origin } from '@sallyport/core'
import { joinTextFields } from './parts.js'
import type { JoinedTexts } from './parts.js'
import type { Path, TextField } from '../fields/walk.js'

/** One turn and its texts. */
interface Turn {
  readonly role: unknown
  readonly textFields: [TextField, ...TextField[]]
  text: string
}

/** Neighbouring turns of one role. */
type Run = readonly [Turn, ...Turn[]]

/** The role of the turn at a path of the request; undefined outside of turns. */
export const roleAt = ({ turns }: MethodDeclaration, request: unknown, [list, position]: Path): unknown => {
  if (!turns || list !== turns.list || typeof position !== 'number') return undefined
  const items = (request as Readonly<Record<string, readonly Readonly<Record<string, unknown>>[] | undefined>>)[list]
  return items?.[position]?.[turns.role]
}

/** The declared origin of a text of a request. */
export const turnOrigin = (declaration: MethodDeclaration, request: unknown, path: Path): Origin | undefined =>
  originNamed(declaration.turns?.origins, roleAt(declaration, request, path)) ??
  originNamed(declaration.origins, path[0])

const originNamed = (origins: MethodDeclaration['origins'] = {}, name: unknown): Origin | undefined =>
  typeof name === 'string' && Object.hasOwn(origins, name) ? origins[name] : undefined

/**
 * Joins the turns of each run of two or more, and the text on both sides of the boundary between two runs that
 * models may read as one. Blank turns are ignored.
 */
export const joinTurns = (
  declaration: MethodDeclaration,
  request: unknown,
  textFields: readonly TextField[],
): readonly JoinedTexts[] => {
  const runs = runsOf(turnsOf(declaration, request, textFields))
  return [
    ...runs.filter(({ length }) => length > 1).map((run) => joinLines(run, run.map(textOf))),
    ...runs.flatMap((run, at) => {
      const next = runs[at + 1]
      if (!next || !isContinuedBy(declaration, run, next)) return []
      const turnBoundary = [
        run.map(textOf).join('\n').slice(-boundaryContextLength),
        next.map(textOf).join('\n').slice(0, boundaryContextLength),
      ]
      return [joinLines(next, turnBoundary, (turnBoundary[0]?.length ?? 0) + 1)]
    }),
  ]
}

/** The texts of neighbouring turns that models may read as one, for each sequence of at least two. */
export const adjacentTurns = (
  declaration: MethodDeclaration,
  request: unknown,
  textFields: readonly TextField[],
): readonly (readonly TextField[])[] => {
  const sequences: (readonly [Turn, ...Turn[]])[] = []
  for (const run of runsOf(turnsOf(declaration, request, textFields))) {
    const last = sequences.at(-1)
    if (last && isContinuedBy(declaration, [last.at(-1) ?? last[0]], run)) sequences.splice(-1, 1, [...last, ...run])
    else sequences.push(run)
  }
  return sequences.filter(({ length }) => length > 1).map((turns) => turns.flatMap((turn) => turn.textFields))
}

/** UTF-16 code units on each side of the boundary between two roles. */
const boundaryContextLength = 256

const textOf = ({ text }: Turn): string => text

const joinLines = ([{ textFields }]: Run, texts: readonly string[], from?: number): JoinedTexts => ({
  ...joinTextFields(textFields, '\n', texts),
  ...(from !== undefined && { from }),
})

const isContinuedBy = ({ turns }: MethodDeclaration, [{ role }]: Run, [next]: Run): boolean =>
  typeof role === 'string' && turns?.continuedBy?.[role] === next.role

const turnsOf = (declaration: MethodDeclaration, request: unknown, textFields: readonly TextField[]): Turn[] => {
  const { turns: declared } = declaration
  if (!declared) return []
  const turns = new Map<number, Turn>()
  for (const textField of textFields) {
    const [list, position, field] = textField.path
    if (list !== declared.list || typeof position !== 'number' || field !== declared.text) continue
    const turn = turns.get(position)
    if (turn) {
      turn.textFields.push(textField)
      turn.text += textField.text
    } else
      turns.set(position, {
        role: roleAt(declaration, request, textField.path),
        textFields: [textField],
        text: textField.text,
      })
  }
  return [...turns.values()].filter(({ text }) => text.trim())
}

const runsOf = (turns: readonly Turn[]): Run[] => {
  const runs: [Turn, ...Turn[]][] = []
  for (const turn of turns) {
    const last = runs.at(-1)
    if (last && last[0].role === turn.role) last.push(turn)
    else runs.push([turn])
  }
  return runs
}
