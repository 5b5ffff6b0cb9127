import type { Word } from '../heads/words.js'

/** One word of a phrase. */
interface Step {
  /** Up to so many words stand before it that do not matter. */
  readonly gap: number
  readonly exact: ReadonlySet<string>
  readonly prefixes: readonly string[]
}

export interface Phrase<Owner> {
  readonly owner: Owner
  readonly steps: readonly Step[]
}

/** @throws RangeError for a phrase that begins or ends with a gap */
export const parsePhrase = <Owner>(written: string, owner: Owner): Phrase<Owner> => {
  const steps: Step[] = []
  let gap = 0
  for (const part of written.split(' ')) {
    const size = /^<(\d)>$/.exec(part)?.[1]
    if (size === undefined) {
      const words = part.split('|')
      const prefixes = words.filter((word) => word.endsWith('*')).map((word) => word.slice(0, -1))
      steps.push({ gap, exact: new Set(words.filter((word) => !word.endsWith('*'))), prefixes })
      gap = 0
    } else gap = Number(size)
  }
  if (gap > 0 || (steps[0]?.gap ?? 1) > 0) throw new RangeError(`"${written}" begins or ends with a gap`)
  return { owner, steps }
}

/** Phrases by the first two letters of what they begin with. */
export class PhraseIndex<Owner> {
  private readonly byStart = new Map<string, Phrase<Owner>[]>()

  constructor(phrases: readonly Phrase<Owner>[]) {
    for (const phrase of phrases) {
      const { exact, prefixes } = phrase.steps[0] ?? { exact: [], prefixes: [] }
      for (const start of new Set([...exact, ...prefixes].map((word) => word.slice(0, 2))))
        this.byStart.set(start, [...(this.byStart.get(start) ?? []), phrase])
    }
  }

  /** The phrases that begin at a word, with the place of their last word. */
  at(words: readonly Word[], from: number): { owner: Owner; last: number }[] {
    const word = words[from]?.word ?? ''
    return (this.byStart.get(word.slice(0, 2)) ?? []).flatMap(({ owner, steps }) => {
      const last = endOf(steps, words, from)
      return last === undefined ? [] : [{ owner, last }]
    })
  }
}

/** Of all ways in which the steps fit, the shortest counts: `reached` are the places where the last step may stand. */
const endOf = (steps: readonly Step[], words: readonly Word[], from: number): number | undefined => {
  let reached = [from - 1]
  for (const step of steps) {
    const next = new Set<number>()
    for (const place of reached)
      for (let at = place + 1; at <= place + 1 + step.gap && at < words.length; at += 1)
        if (fits(step, words[at]?.word ?? '')) next.add(at)
    if (next.size === 0) return undefined
    reached = [...next]
  }
  return Math.min(...reached)
}

const fits = ({ exact, prefixes }: Step, word: string): boolean =>
  exact.has(word) || prefixes.some((prefix) => word.startsWith(prefix))
