import type { Range } from '../expression.js'
import { anyCharacter, includes, unite } from './code-points.js'
import type { CodePoints } from './code-points.js'
import type { Language, Languages } from './language.js'

/** A state of a deterministic automaton, which is a list of states. The first one is the initial state. */
export interface State {
  readonly accepts: boolean
  /** Disjoint sets of characters, each with the index of the state that they lead to. */
  readonly edges: readonly { readonly set: CodePoints; readonly target: number }[]
}

/** The maximum number of states, so that grammars stay small. */
const maxStates = 1500

/**
 * Undefined where there are too many states. Some states may lead to no accepting one.
 * @param spend counts steps of work
 */
export const automatonOf = (
  language: Language,
  languages: Languages,
  spend: (steps: number) => void,
): readonly State[] | undefined => {
  const labels = [language]
  // the initial state is not in the map, because no edge leads to it
  const indexes = new Map<Language, number>()
  const states: State[] = []
  for (let index = 0; index < labels.length; index += 1) {
    const label = labels[index] as Language
    const isStart = index === 0
    const sets = new Map<number, Range[]>()
    const first = languages.firstSets(label, isStart)
    spend(1 + first.length / 4)
    for (const part of partition(first)) {
      const next = languages.derivative(label, part[0]?.[0] ?? 0, isStart)
      if (next === languages.nothing) continue
      const target = indexes.get(next) ?? labels.push(next) - 1
      indexes.set(next, target)
      sets.set(target, [...(sets.get(target) ?? []), ...part])
    }
    if (labels.length > maxStates) return undefined
    const edges = [...sets].map(([target, ranges]) => ({ set: unite(ranges), target }))
    states.push({ accepts: languages.isNullable(label, isStart, true), edges })
  }
  return states
}

/** Partitions all characters by the sets that contain them. */
const partition = (all: readonly CodePoints[]): readonly Range[][] => {
  const sets = [...new Set(all)]
  const bounds = [anyCharacter, ...sets].flat().flatMap(([from, to]) => [from, to + 1])
  const starts = [...new Set(bounds)].sort((a, b) => a - b)
  const parts = new Map<string, Range[]>()
  for (const [index, from] of starts.entries()) {
    if (!includes(anyCharacter, from)) continue
    const key = sets.map((set) => (includes(set, from) ? '1' : '0')).join('')
    const part = parts.get(key) ?? []
    part.push([from, (starts[index + 1] ?? 0) - 1])
    parts.set(key, part)
  }
  return [...parts.values()]
}
