import { RegExpParser } from '@eslint-community/regexpp'
import type { AST } from '@eslint-community/regexpp'

/** A source of random numbers. */
export interface RandomSource {
  /** An integer from 0 to `limit - 1`. */
  below(limit: number): number
  oneOf<Item>(items: ArrayLike<Item>): Item
}

const parser = new RegExpParser({ ecmaVersion: 2024 })
const candidates = Array.from({ length: 0x5f }, (_, index) => String.fromCodePoint(0x20 + index))
const characters = new Map<string, readonly string[]>()

/** A random text that a pattern matches; look-arounds are ignored. */
export const sample = (regex: RegExp, random: RandomSource): string =>
  sampleOfAlternatives(parse(regex).alternatives, random, regex.flags.replace(/[gy]/g, ''))

const trees = new Map<string, AST.Pattern>()

const parse = ({ source }: RegExp): AST.Pattern => {
  const tree = trees.get(source) ?? parser.parsePattern(source, undefined, undefined, { unicode: true })
  trees.set(source, tree)
  return tree
}

const sampleOfAlternatives = (alternatives: readonly AST.Alternative[], random: RandomSource, flags: string): string =>
  random
    .oneOf(alternatives)
    .elements.map((element) => sampleOf(element, random, flags))
    .join('')

const sampleOf = (node: AST.Element, random: RandomSource, flags: string): string => {
  switch (node.type) {
    case 'Assertion':
    case 'Backreference':
      return ''
    case 'Quantifier': {
      const times = node.min + random.below(Math.min(node.max, node.min + 20) - node.min + 1)
      return Array.from({ length: times }, () => sampleOf(node.element, random, flags)).join('')
    }
    case 'Group':
      return sampleOfAlternatives(node.alternatives, random, flags)
    case 'CapturingGroup':
      return node.name === 'lead' || node.name === 'trail' ? '' : sampleOfAlternatives(node.alternatives, random, flags)
    case 'Character':
      return node.raw.length === 1 ? node.raw : String.fromCodePoint(node.value)
    default:
      return random.oneOf(charactersOf(node.raw, flags))
  }
}

/** The ASCII characters of a set. */
const charactersOf = (set: string, flags: string): readonly string[] => {
  const known = characters.get(set + flags)
  if (known) return known
  const pattern = new RegExp(`^${set}$`, flags)
  const found = candidates.filter((character) => pattern.test(character))
  const result = found.length ? found : ['x']
  characters.set(set + flags, result)
  return result
}
