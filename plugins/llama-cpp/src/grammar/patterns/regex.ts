/** Compiles the regular part of ECMAScript's regular expressions with the flag `u`, which JSON Schema uses. */

import { RegExpParser } from '@eslint-community/regexpp'
import type { AST } from '@eslint-community/regexpp'
import { anyCharacter, codePointsOf, complement, includes, intersect, unite } from './code-points.js'
import type { CodePoints } from './code-points.js'
import type { Language, Languages } from './language.js'

/** Thrown for look-around, back-references, word boundaries, Unicode properties and invalid syntax. */
export class UnsupportedPattern extends Error {}

/** The maximum number of UTF-16 code units in a pattern, because the parser is recursive. */
const maxLength = 2000

const parser = new RegExpParser()

/** The language of all texts in which a pattern matches, anywhere unless it is anchored. @throws UnsupportedPattern */
export const languageOf = (pattern: string, languages: Languages): Language => {
  const compiler = new PatternCompiler(languages)
  return languages.choice(...parse(pattern).map((each) => compiler.search(each)))
}

const parse = (pattern: string): readonly AST.Alternative[] => {
  if (pattern.length > maxLength) throw new UnsupportedPattern()
  try {
    return parser.parsePattern(pattern, 0, pattern.length, { unicode: true }).alternatives
  } catch {
    throw new UnsupportedPattern()
  }
}

class PatternCompiler {
  constructor(private readonly languages: Languages) {}

  /** Anchors at the ends of the pattern need no terms; anchors within it do. */
  search({ elements }: AST.Alternative): Language {
    const isAnchor = (element: AST.Element | undefined, kind: string) =>
      element?.type === 'Assertion' && element.kind === kind
    const from = isAnchor(elements[0], 'start') ? 1 : 0
    const to = isAnchor(elements.at(-1), 'end') ? -1 : elements.length
    const { anything, empty } = this.languages
    return this.languages.sequence(
      from > 0 ? empty : anything,
      ...elements.slice(from, to).map((each) => this.element(each)),
      to < 0 ? empty : anything,
    )
  }

  private alternatives(alternatives: readonly AST.Alternative[]): Language {
    return this.languages.choice(
      ...alternatives.map(({ elements }) => this.languages.sequence(...elements.map((each) => this.element(each)))),
    )
  }

  private element(element: AST.Element): Language {
    switch (element.type) {
      case 'Group':
        if (element.modifiers) throw new UnsupportedPattern()
        return this.alternatives(element.alternatives)
      case 'CapturingGroup':
        return this.alternatives(element.alternatives)
      case 'Quantifier':
        return this.languages.repeat(this.element(element.element), element.min, element.max)
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
        return this.languages.characters(charactersOf(element))
      case 'Assertion':
        if (element.kind === 'start' || element.kind === 'end') return this.languages[element.kind]
    }
    throw new UnsupportedPattern()
  }
}

const charactersOf = (element: AST.Element | AST.CharacterClassElement): CodePoints => {
  switch (element.type) {
    case 'Character':
      return single(element)
    case 'CharacterClassRange':
      return intersect([[element.min.value, element.max.value]], anyCharacter)
    case 'CharacterSet':
      return setOf(element)
    case 'CharacterClass': {
      const set = unite(element.elements.flatMap((each) => charactersOf(each)))
      return element.negate ? complement(set) : set
    }
    default:
      throw new UnsupportedPattern()
  }
}

/** Half of a surrogate pair is not a character of a text. */
const single = ({ value }: AST.Character): CodePoints => {
  if (!includes(anyCharacter, value)) throw new UnsupportedPattern()
  return [[value, value]]
}

const digits: CodePoints = [[0x30, 0x39]]
const wordCharacters = unite([...digits, [0x41, 0x5a], [0x61, 0x7a], ...codePointsOf('_')])
/** ECMAScript's WhiteSpace and LineTerminator. */
const spaces = unite([[9, 13], [0x2000, 0x200a], ...codePointsOf(' \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff')])
const namedSets = { digit: digits, word: wordCharacters, space: spaces } as const

const setOf = (set: AST.CharacterSet): CodePoints => {
  if (set.kind === 'any') return complement(codePointsOf('\n\r\u2028\u2029'))
  if (set.kind === 'property') throw new UnsupportedPattern()
  return set.negate ? complement(namedSets[set.kind]) : namedSets[set.kind]
}
