import { append } from '@sallyport/kit/lists'
import type { AST } from '@eslint-community/regexpp'

/** Texts of which at least one occurs in every match, or across its ends; in lower case where case is ignored. */
export type Clause = readonly string[]

/** Represents an unknown character in a text. */
export const unknownCharacter = '\ue000'
/** Marks the places of a text where a word of ASCII letters begins or ends. */
export const wordEdge = '\ue001'

/** What is known of all matches of a part of a pattern. */
interface KnownText {
  /** All its matches, where these are few. */
  readonly exact?: Clause
  readonly clauses: readonly Clause[]
}

/** The maximum number of texts in a clause and of characters in a set: more would exclude little. */
const [maxTexts, maxCharacters] = [1024, 8]
/** The maximum number of clauses of a pattern. */
const maxClauses = 2
/** The length beyond which a longer text excludes nothing more, and the maximum length of a text. */
const [maxUsefulLength, maxLength] = [4, 12]

const anything: KnownText = { clauses: [] }
const emptyText: KnownText = { exact: [''], clauses: [] }

/**
 * What every match of a pattern must contain, after Russ Cox, "Regular Expression Matching with a Trigram Index"
 * (2012).
 * @param ignoreCase whether the pattern has the flag `i` (beside `u`)
 */
export const literalsOf = (pattern: AST.Pattern, ignoreCase: boolean): readonly Clause[] => {
  const knownInAlternatives = (alternatives: readonly AST.Alternative[]): KnownText => {
    const all = alternatives.map(({ elements }) => sequence(elements.map(knownIn)))
    const [only = anything] = all
    return all.length === 1 ? only : oneOf(all)
  }
  const knownIn = (node: AST.Element): KnownText => {
    switch (node.type) {
      case 'Group':
      case 'CapturingGroup':
        return knownInAlternatives(node.alternatives)
      case 'Quantifier':
        return node.max === 0 ? emptyText : repeated(knownIn(node.element), node)
      case 'Assertion':
        if (node.kind !== 'lookahead' && node.kind !== 'lookbehind') return emptyText
        if (node.negate) return node.alternatives.some(isAnyLetter) ? { exact: [wordEdge], clauses: [] } : emptyText
        return { ...emptyText, clauses: clausesOf(knownInAlternatives(node.alternatives)) }
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

/** Drops texts that begin or end with another one. */
const withoutLonger = (clause: Clause): Clause => {
  const all = new Set(clause.map((text) => text.slice(0, maxLength)))
  const holdsOther = (text: string): boolean =>
    Array.from(text, (_, at) => at).some((at) => at > 0 && (all.has(text.slice(0, at)) || all.has(text.slice(at))))
  return [...all].filter((text) => !holdsOther(text))
}

/** Whether an alternative matches all ASCII letters. */
const isAnyLetter = ({ elements }: AST.Alternative): boolean => {
  const [only] = elements
  if (elements.length !== 1 || only?.type !== 'CharacterClass') return false
  return !only.negate && only.elements.some(({ raw }) => allLetters.has(raw))
}

const allLetters: ReadonlySet<string> = new Set([String.raw`\p{L}`, String.raw`\p{Script=Latin}`, String.raw`\w`])

/** The clauses with known characters, those with the most first. */
const clausesOf = ({ exact, clauses }: KnownText): Clause[] =>
  [...clauses, ...(exact ? [exact] : [])]
    .map((clause) => ({ clause, min: knownLength(clause) }))
    .filter(({ min }) => min > 0)
    .sort((a, b) => b.min - a.min || a.clause.length - b.clause.length)
    .map(({ clause }) => clause)

/** The minimum number of known characters in the texts of a clause. */
const knownLength = (clause: Clause): number =>
  clause.reduce(
    (min, text) => Math.min(min, text.replaceAll(unknownCharacter, '').replaceAll(wordEdge, '').length),
    maxUsefulLength,
  )

/** Combines the parts of a sequence; adjacent parts with few matches are concatenated. */
const sequence = (parts: readonly KnownText[]): KnownText => {
  const clauses: Clause[] = []
  let [current, whole]: [Clause, boolean] = [[''], true]
  for (const { exact, clauses: own } of parts) {
    append(clauses, own)
    if (exact && current.length * exact.length <= maxTexts)
      current =
        exact.length === 1 && current.length === 1 ? [`${current[0] ?? ''}${exact[0] ?? ''}`] : product(current, exact)
    else {
      clauses.push(current)
      ;[current, whole] = [exact ?? [''], false]
    }
  }
  return whole ? { exact: current, clauses } : { clauses: [...clauses, current] }
}

const product = (beginnings: Clause, exact: Clause): Clause => [
  ...new Set(beginnings.flatMap((before) => exact.map((text) => before + text))),
]

const oneOf = (all: readonly KnownText[]): KnownText => {
  const exact = all.flatMap((one) => one.exact ?? [])
  if (all.every((one) => one.exact) && exact.length <= maxTexts) return { exact: [...new Set(exact)], clauses: [] }
  const best = all.map((one) => clausesOf(one)[0])
  const texts = new Set(best.flatMap((clause) => clause ?? []))
  return { clauses: best.every(Boolean) && texts.size <= maxTexts ? [[...texts]] : [] }
}

const repeated = (element: KnownText, { min, max }: AST.Quantifier): KnownText => {
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
): KnownText => {
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
