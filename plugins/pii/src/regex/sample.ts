import type { AST } from '@eslint-community/regexpp'
import type { Randomness } from '../random/randomness.js'
import { parse } from './parse.js'

const candidates = Array.from({ length: 0x5f }, (_, index) => String.fromCodePoint(0x20 + index))
const characters = new Map<string, readonly string[]>()
const trees = new Map<string, AST.Pattern>()

/** A random text that a pattern matches; look-arounds are ignored. */
export const sample = (regex: RegExp, random: Randomness): string => {
  const tree = trees.get(regex.source) ?? parse(regex)
  trees.set(regex.source, tree)
  return sampleOfAlternatives(tree.alternatives, random, regex.flags.replace(/[gy]/g, ''))
}

const sampleOfAlternatives = (alternatives: readonly AST.Alternative[], random: Randomness, flags: string): string =>
  random
    .oneOf(alternatives)
    .elements.map((element) => sampleOf(element, random, flags))
    .join('')

const sampleOf = (node: AST.Element, random: Randomness, flags: string): string => {
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

/** The printable ASCII characters of a set; `x` where it has none. */
const charactersOf = (set: string, flags: string): readonly string[] => {
  const known = characters.get(set + flags)
  if (known) return known
  const pattern = new RegExp(`^${set}$`, flags)
  const matches = candidates.filter((character) => pattern.test(character))
  const result = matches.length ? matches : ['x']
  characters.set(set + flags, result)
  return result
}
