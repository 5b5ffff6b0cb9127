import { minOf } from '@sallyport/kit/lists'
import type { Word } from '../classifiers/words.js'

/** One word of a phrase. */
interface Step {
  /** The maximum number of arbitrary words before it. */
  readonly gap: number
  /** Words that must not be in the gap. */
  readonly barred: ReadonlySet<string>
  readonly exact: ReadonlySet<string>
  readonly prefixes: readonly string[]
}

type Gap = Pick<Step, 'gap' | 'barred'>

export interface Phrase<Owner> {
  readonly owner: Owner
  readonly steps: readonly Step[]
  /** Words that must not follow it. */
  readonly after: Gap
}

const none: Gap = { gap: 0, barred: new Set() }
const gapForm = /^<(?<size>[1-9])(?:-(?<barred>.+))?>$/

/**
 * @throws RangeError for a phrase that begins with a gap, ends with one that bars nothing, or has a malformed gap or
 * two in a row
 */
export const parsePhrase = <Owner>(written: string, owner: Owner): Phrase<Owner> => {
  const steps: Step[] = []
  let between = none
  for (const part of written.split(' ')) {
    const { size, barred } = gapForm.exec(part)?.groups ?? {}
    if (size === undefined) {
      if (part.startsWith('<')) throw new RangeError(`"${written}" has a malformed gap: ${part}`)
      const words = part.split('|')
      const prefixes = words.filter((word) => word.endsWith('*')).map((word) => word.slice(0, -1))
      steps.push({ ...between, exact: new Set(words.filter((word) => !word.endsWith('*'))), prefixes })
      between = none
    } else if (between.gap > 0) throw new RangeError(`"${written}" has two gaps in a row`)
    else between = { gap: Number(size), barred: new Set(barred?.split('|')) }
  }
  if ((between.gap > 0 && between.barred.size === 0) || (steps[0]?.gap ?? 1) > 0)
    throw new RangeError(`"${written}" begins with a gap, or ends with one that bars nothing`)
  return { owner, steps, after: between }
}

interface IndexedPhrase<Owner> {
  readonly phrase: Phrase<Owner>
  readonly index: number
}

/** An index of phrases by their first word or, for prefixes, by its first two letters. */
export class PhraseIndex<Owner> {
  private readonly byWord = new Map<string, IndexedPhrase<Owner>[]>()
  private readonly byStart = new Map<string, (IndexedPhrase<Owner> & { readonly prefix: string })[]>()

  constructor(phrases: readonly Phrase<Owner>[]) {
    for (const [index, phrase] of phrases.entries()) {
      const { exact, prefixes } = phrase.steps[0] ?? { exact: [], prefixes: [] }
      for (const word of exact) this.byWord.set(word, [...(this.byWord.get(word) ?? []), { phrase, index }])
      for (const prefix of prefixes) {
        const start = prefix.slice(0, 2)
        this.byStart.set(start, [...(this.byStart.get(start) ?? []), { phrase, index, prefix }])
      }
    }
  }

  /** The owners of the phrases that match at a word, in their order, with the index of the last word. */
  at(words: readonly Word[], from: number): { owner: Owner; last: number }[] {
    const found: { owner: Owner; last: number }[] = []
    for (const { owner, steps, after } of this.beginningWith(words[from]?.word ?? '')) {
      const last = endOf(steps, after, words, from)
      if (last !== undefined) found.push({ owner, last })
    }
    return found
  }

  private beginningWith(word: string): readonly Phrase<Owner>[] {
    const byWord = this.byWord.get(word)
    const byPrefix = this.byStart.get(word.slice(0, 2))?.filter(({ prefix }) => word.startsWith(prefix))
    if (!byWord && !byPrefix?.length) return []
    const all = [...(byWord ?? []), ...(byPrefix ?? [])].sort((a, b) => a.index - b.index)
    return [...new Set(all.map(({ phrase }) => phrase))]
  }
}

/**
 * The index of the last word of the shortest match of a phrase; undefined where it does not match. `positions` are
 * those at which the previous step may have matched.
 */
const endOf = (steps: readonly Step[], after: Gap, words: readonly Word[], from: number): number | undefined => {
  let positions = [from]
  for (const step of steps.slice(1)) {
    const next = new Set<number>()
    for (const position of positions)
      for (let at = position + 1; at <= position + 1 + step.gap && at < words.length; at += 1) {
        const word = words[at]?.word ?? ''
        if (fits(step, word)) next.add(at)
        if (step.barred.has(word)) break
      }
    if (next.size === 0) return undefined
    positions = [...next]
  }
  const last = minOf(positions)
  const rest = words.slice(last + 1, last + 1 + after.gap)
  return rest.some(({ word }) => after.barred.has(word)) ? undefined : last
}

const fits = ({ exact, prefixes }: Step, word: string): boolean =>
  exact.has(word) || prefixes.some((prefix) => word.startsWith(prefix))
