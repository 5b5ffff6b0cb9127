import { anyText, AutomatonTooLarge, lengths, ofTexts } from '../automaton/automaton.js'
import type { Automaton } from '../automaton/automaton.js'
import { intersection } from '../automaton/product.js'
import { automatonExpression, jsonCharacter, unescaped } from '../automaton/rules-of.js'
import { characters, choice, empty, repeat, sequence, text } from '../expression.js'
import type { Expression, Range } from '../expression.js'
import { counted } from '../repetition.js'
import type { Rules } from '../rules.js'
import type { Patterns } from '../schema/patterns.js'
import type { StringVariant } from '../schema/variant.js'

/** Longer texts than this are counted by nested repetitions, which go with no pattern. */
const maxCounted = 2000

/** Undefined where only the length matters. @throws AutomatonTooLarge */
export const stringAutomaton = (variant: StringVariant, patterns: Patterns): Automaton | undefined => {
  const { values, minLength, maxLength } = variant
  if (values) return ofTexts(values)
  if (variant.patterns.length === 0) return undefined
  const all = variant.patterns.reduce(
    (texts, { source }) => intersection(texts, patterns.sureAutomaton(source), patterns.spend),
    anyText,
  )
  if (minLength === 0 && maxLength === Infinity) return all
  if (Math.max(minLength, isFinite(maxLength) ? maxLength : 0) > maxCounted) throw new AutomatonTooLarge()
  return intersection(all, lengths(minLength, maxLength, patterns.spend), patterns.spend)
}

/** What follows the opening quotation mark, as far as the closing one. */
export const textExpression = (texts: Automaton, rules: Rules, hint: string): Expression =>
  automatonExpression(texts, rules, hint, text('"'), jsonCharacter)

/** A string of this length, by code points. */
export const lengthExpression = ({ minLength, maxLength }: StringVariant, rules: Rules): Expression =>
  sequence(text('"'), characterCount(minLength, maxLength, rules), text('"'))

const characterCount = (least: number, most: number, rules: Rules): Expression => {
  const { name } = rules.share('character', 'char', anyCharacter)
  return most === 0 ? empty : counted(name, least, most, rules)
}

const hexadecimal: Range[] = [
  [0x30, 0x39],
  [0x41, 0x46],
  [0x61, 0x66],
]

/** One code point: as it is, or by an escape that means no half of a pair. */
const anyCharacter = (): Expression => {
  const digit = characters(...hexadecimal)
  const basic = characters([0x30, 0x39], [0x41, 0x43], [0x45, 0x46], [0x61, 0x63], [0x65, 0x66])
  const unicode = choice(
    sequence(basic, repeat(digit, 3, 3)),
    sequence(characters([0x44, 0x44], [0x64, 0x64]), characters([0x30, 0x37]), repeat(digit, 2, 2)),
  )
  const letters = Array.from('"\\/bfnrt', (letter): Range => [letter.charCodeAt(0), letter.charCodeAt(0)])
  return choice(
    characters(...unescaped),
    sequence(text('\\'), choice(characters(...letters), sequence(text('u'), unicode))),
  )
}
