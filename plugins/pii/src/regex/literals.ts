import { append } from '@sallyport/kit/lists'
import type { AST } from '@eslint-community/regexpp'

/** Strings of which every match contains one, in itself or across its ends; in lower case where case is ignored. */
export type Clause = readonly string[]

/** An unknown character in a string of a clause. */
export const unknownCharacter = '\ue000'
/** The beginning or end of a word of ASCII letters in a string of a clause. */
export const wordEdge = '\ue001'

/** What is known of all matches of a part of a pattern. */
interface Known {
  /** All its matches, where these are few. */
  readonly exact?: Clause
  readonly clauses: readonly Clause[]
}

/** The maximum number of strings in a clause and of characters in a set: more would exclude little. */
const [maxStrings, maxCharacters] = [1024, 8]
/** The maximum number of clauses of a pattern. */
const maxClauses = 2
/** The length from which on a longer string excludes hardly more, and the maximum length of a string. */
const [maxUsefulLength, maxLength] = [4, 12]

const anything: Known = { clauses: [] }
const empty: Known = { exact: [''], clauses: [] }

/**
 * What every match of a pattern contains, after Russ Cox, "Regular Expression Matching with a Trigram Index" (2012).
 * @param ignoreCase whether the pattern has the flag `i` (beside `u`)
 */
export const literalsOf = (pattern: AST.Pattern, ignoreCase: boolean): readonly Clause[] => {
  const knownInAlternatives = (alternatives: readonly AST.Alternative[]): Known => {
    const all = alternatives.map(({ elements }) => sequence(elements.map(knownIn)))
    const [only = anything] = all
    return all.length === 1 ? only : oneOf(all)
  }
  const knownIn = (node: AST.Element): Known => {
    switch (node.type) {
      case 'Group':
      case 'CapturingGroup':
        return knownInAlternatives(node.alternatives)
      case 'Quantifier':
        return node.max === 0 ? empty : repeated(knownIn(node.element), node)
      case 'Assertion':
        if (node.kind !== 'lookahead' && node.kind !== 'lookbehind') return empty
        if (node.negate) return node.alternatives.some(isAnyLetter) ? { exact: [wordEdge], clauses: [] } : empty
        return { ...empty, clauses: clausesOf(knownInAlternatives(node.alternatives)) }
      case 'Character':
        return charactersOf([node], ignoreCase)
      case 'CharacterClass':
        return node.negate ? anything : charactersOf(node.elements, ignoreCase)
      default:
        return anything
    }
  }
  return clausesOf(knownInAlternatives(pattern.alternatives)).slice(0, maxClauses).map(withoutLonger)
}

/** Drops strings that begin or end with another one. */
const withoutLonger = (clause: Clause): Clause => {
  const all = new Set(clause.map((text) => text.slice(0, maxLength)))
  const holdsOther = (text: string): boolean =>
    Array.from(text, (_, at) => at).some((at) => at > 0 && (all.has(text.slice(0, at)) || all.has(text.slice(at))))
  return [...all].filter((text) => !holdsOther(text))
}

/** Whether an alternative matches all ASCII letters. */
const isAnyLetter = ({ elements: [first, ...others] }: AST.Alternative): boolean =>
  first?.type === 'CharacterClass' &&
  others.length === 0 &&
  !first.negate &&
  first.elements.some(({ raw }) => allLetters.has(raw))

const allLetters: ReadonlySet<string> = new Set([String.raw`\p{L}`, String.raw`\p{Script=Latin}`, String.raw`\w`])

/** The clauses with known characters, those with the most first. */
const clausesOf = ({ exact, clauses }: Known): Clause[] =>
  [...clauses, ...(exact ? [exact] : [])]
    .map((clause) => ({ clause, min: knownLength(clause) }))
    .filter(({ min }) => min > 0)
    .sort((a, b) => b.min - a.min || a.clause.length - b.clause.length)
    .map(({ clause }) => clause)

/** The minimum number of known characters in the strings of a clause. */
const knownLength = (clause: Clause): number =>
  clause.reduce(
    (min, text) => Math.min(min, text.replaceAll(unknownCharacter, '').replaceAll(wordEdge, '').length),
    maxUsefulLength,
  )

/** Combines the parts of a sequence; adjacent parts with few matches are concatenated. */
const sequence = (parts: readonly Known[]): Known => {
  const clauses: Clause[] = []
  let [current, whole]: [Clause, boolean] = [[''], true]
  for (const { exact, clauses: own } of parts) {
    append(clauses, own)
    if (exact && current.length * exact.length <= maxStrings)
      current = [...new Set(current.flatMap((before) => exact.map((text) => before + text)))]
    else {
      clauses.push(current)
      ;[current, whole] = [exact ?? [''], false]
    }
  }
  return whole ? { exact: current, clauses } : { clauses: [...clauses, current] }
}

const oneOf = (all: readonly Known[]): Known => {
  const exact = all.flatMap((one) => one.exact ?? [])
  if (all.every((one) => one.exact) && exact.length <= maxStrings) return { exact: [...new Set(exact)], clauses: [] }
  const best = all.map((one) => clausesOf(one)[0])
  const texts = new Set(best.flatMap((clause) => clause ?? []))
  return { clauses: best.every(Boolean) && texts.size <= maxStrings ? [[...texts]] : [] }
}

const repeated = (element: Known, { min, max }: AST.Quantifier): Known => {
  if (min === 1 && max === 1) return element
  if (min > 0) return { clauses: clausesOf(element) }
  return max === 1 && element.exact ? { exact: ['', ...element.exact], clauses: [] } : anything
}

/**
 * The characters of a set. Beyond ASCII, letters with case count as unknown where case is ignored, as more than two may
 * be equal.
 */
const charactersOf = (
  elements: readonly (AST.CharacterClassElement | AST.UnicodeSetsCharacterClassElement)[],
  ignoreCase: boolean,
): Known => {
  const characters = new Set<string>()
  for (const element of elements) {
    if (element.type !== 'Character' && element.type !== 'CharacterClassRange') return anything
    const [from, to] =
      element.type === 'Character' ? [element.value, element.value] : [element.min.value, element.max.value]
    if (to - from >= maxCharacters) return anything
    for (let value = from; value <= to; value += 1) characters.add(characterOf(value, ignoreCase))
  }
  return characters.size > 0 && characters.size <= maxCharacters ? { exact: [...characters], clauses: [] } : anything
}

const lastAscii = 0x7f

const characterOf = (value: number, ignoreCase: boolean): string => {
  const character = String.fromCodePoint(value)
  if (character === wordEdge || (ignoreCase && value > lastAscii && hasCases(character))) return unknownCharacter
  return ignoreCase ? character.toLowerCase() : character
}

const hasCases = (character: string): boolean => character.toLowerCase() !== character.toUpperCase()
