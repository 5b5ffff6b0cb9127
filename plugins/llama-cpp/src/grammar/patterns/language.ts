/**
 * Regular languages as terms, which are turned into automata by derivatives (Brzozowski 1964; Owens, Reppy and Turon,
 * "Regular-expression derivatives re-examined", 2009): the derivative of a language by a character is what may follow
 * that character. Equal terms are one object, so that equal states are found by identity.
 */

import { append } from '@sallyport/kit/lists'
import type { Range } from '../expression.js'
import { anyCharacter, codePointsOf, includes, unite } from './code-points.js'
import type { CodePoints } from './code-points.js'

export type Language = { readonly id: number } & Term

type Term =
  | { readonly kind: 'nothing' | 'empty' | 'start' | 'end' }
  | { readonly kind: 'characters'; readonly set: CodePoints }
  | { readonly kind: 'sequence'; readonly first: Language; readonly rest: Language }
  | { readonly kind: 'choice' | 'intersection'; readonly items: readonly Language[] }
  | { readonly kind: 'not'; readonly item: Language }
  | { readonly kind: 'repeat'; readonly item: Language; readonly min: number; readonly max: number }

/** A derivative takes about a microsecond, and a step of the budget some microseconds. */
const derivativesPerStep = 2

/** Makes terms, and automata of them. */
export class Languages {
  private readonly terms = new Map<string, Language>()
  readonly nothing = this.term('nothing', { kind: 'nothing' })
  readonly empty = this.term('empty', { kind: 'empty' })
  readonly start = this.term('start', { kind: 'start' })
  readonly end = this.term('end', { kind: 'end' })
  readonly anything = this.repeat(this.characters(anyCharacter), 0, Infinity)

  /** @param spend counts steps of work */
  constructor(private readonly spend: (steps: number) => void) {}

  characters(set: CodePoints): Language {
    return set.length ? this.term(`[${set.join()}]`, { kind: 'characters', set }) : this.nothing
  }

  sequence(...items: readonly Language[]): Language {
    return items.reduceRight((rest, first) => this.pair(first, rest), this.empty)
  }

  choice(...items: readonly Language[]): Language {
    const sets: Range[] = []
    const others = new Set<Language>()
    for (const item of items)
      for (const each of item.kind === 'choice' ? item.items : [item]) {
        if (each === this.anything) return each
        if (each.kind === 'characters') append(sets, each.set)
        else if (each !== this.nothing) others.add(each)
      }
    if (sets.length) others.add(this.characters(unite(sets)))
    return this.combination('choice', others, this.nothing)
  }

  intersection(...items: readonly Language[]): Language {
    const parts = new Set<Language>()
    for (const item of items)
      for (const each of item.kind === 'intersection' ? item.items : [item]) {
        if (each === this.nothing) return each
        if (each !== this.anything) parts.add(each)
      }
    return this.combination('intersection', parts, this.anything)
  }

  not(item: Language): Language {
    return item.kind === 'not' ? item.item : this.term(`!${item.id}`, { kind: 'not', item })
  }

  repeat(item: Language, min: number, max: number): Language {
    if (max < min) return this.nothing
    if (max === 0 || item === this.empty) return this.empty
    if (item === this.nothing) return min === 0 ? this.empty : this.nothing
    if (min === 1 && max === 1) return item
    if (item.kind === 'repeat' && item.min === 0 && item.max === Infinity) return item
    return this.term(`${item.id}{${min},${max}}`, { kind: 'repeat', item, min, max })
  }

  text(value: string): Language {
    return this.sequence(...Array.from(value, (character) => this.characters(codePointsOf(character))))
  }

  matches(language: Language, text: string): boolean {
    let [at, isStart] = [language, true]
    for (const character of text) {
      at = this.derivative(at, character.codePointAt(0) ?? 0, isStart)
      isStart = false
    }
    return this.isNullable(at, isStart, true)
  }

  private term(key: string, term: Term): Language {
    const known = this.terms.get(key)
    if (known) return known
    const language = { id: this.terms.size, ...term }
    this.terms.set(key, language)
    return language
  }

  private pair(first: Language, rest: Language): Language {
    if (first === this.nothing || rest === this.nothing) return this.nothing
    if (first === this.empty) return rest
    if (rest === this.empty) return first
    if (first.kind === 'sequence') return this.pair(first.first, this.pair(first.rest, rest))
    return this.term(`${first.id}.${rest.id}`, { kind: 'sequence', first, rest })
  }

  private combination(kind: 'choice' | 'intersection', parts: ReadonlySet<Language>, none: Language): Language {
    const [only = none] = parts
    if (parts.size < 2) return only
    const items = [...parts].sort((a, b) => a.id - b.id)
    return this.term(`${kind}${items.map(({ id }) => id).join()}`, { kind, items })
  }

  /** Whether the language contains the empty text at a place, which decides whether anchors match. */
  isNullable(language: Language, isStart: boolean, isEnd: boolean): boolean {
    switch (language.kind) {
      case 'empty':
        return true
      case 'start':
        return isStart
      case 'end':
        return isEnd
      case 'sequence':
        return this.isNullable(language.first, isStart, isEnd) && this.isNullable(language.rest, isStart, isEnd)
      case 'choice':
        return language.items.some((item) => this.isNullable(item, isStart, isEnd))
      case 'intersection':
        return language.items.every((item) => this.isNullable(item, isStart, isEnd))
      case 'not':
        return !this.isNullable(language.item, isStart, isEnd)
      case 'repeat':
        return language.min === 0 || this.isNullable(language.item, isStart, isEnd)
      default:
        return false
    }
  }

  /** What may follow the character. @param isStart whether a text starts with it */
  derivative(language: Language, code: number, isStart: boolean): Language {
    this.spend(1 / derivativesPerStep)
    switch (language.kind) {
      case 'characters':
        return includes(language.set, code) ? this.empty : this.nothing
      case 'sequence': {
        const { first, rest } = language
        const within = this.pair(this.derivative(first, code, isStart), rest)
        const isPassed = this.isNullable(first, isStart, false)
        return isPassed ? this.choice(within, this.derivative(rest, code, isStart)) : within
      }
      case 'choice':
        return this.choice(...language.items.map((item) => this.derivative(item, code, isStart)))
      case 'intersection':
        return this.intersection(...language.items.map((item) => this.derivative(item, code, isStart)))
      case 'not':
        return this.not(this.derivative(language.item, code, isStart))
      case 'repeat': {
        const { item, min, max } = language
        // an item that matches the empty text here may do so as often as needed
        const left = this.isNullable(item, isStart, false) ? 0 : Math.max(0, min - 1)
        return this.pair(this.derivative(item, code, isStart), this.repeat(item, left, max - 1))
      }
      default:
        return this.nothing
    }
  }

  /** Sets of characters. First characters that are in the same sets lead to the same derivative. */
  firstSets(language: Language, isStart: boolean): readonly CodePoints[] {
    switch (language.kind) {
      case 'characters':
        return [language.set]
      case 'sequence': {
        const first = this.firstSets(language.first, isStart)
        const isPassed = this.isNullable(language.first, isStart, false)
        return isPassed ? [...first, ...this.firstSets(language.rest, isStart)] : first
      }
      case 'choice':
      case 'intersection':
        return language.items.flatMap((item) => this.firstSets(item, isStart))
      case 'not':
      case 'repeat':
        return this.firstSets(language.item, isStart)
      default:
        return []
    }
  }
}
