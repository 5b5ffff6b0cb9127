import { formatPatterns, otherFormats } from '../formats.js'
import { anyCharacter } from '../patterns/code-points.js'
import type { Language } from '../patterns/language.js'
import type { Alternative, SchemaResolver, KeywordLocation } from './alternative.js'
import { maxOfKeyword, minOfKeyword } from './document.js'
import type { JsonObject, SchemaNode } from './document.js'

/** Longer strings are counted by nested repetitions, which cannot be combined with a pattern. */
const maxCounted = 1000

/** The constraints of an alternative on strings. */
export class StringShape {
  /** Lengths are counted in code points. */
  readonly minLength: number
  readonly maxLength: number
  /** Keywords whose patterns are enforced. */
  readonly enforced: readonly KeywordLocation[]
  readonly unenforced: readonly KeywordLocation[]
  /** The allowed strings where they are listed. */
  readonly values: readonly string[] | undefined = undefined
  private readonly patterns: readonly Language[]

  constructor(
    { nodes, values }: Alternative,
    private readonly resolver: SchemaResolver,
  ) {
    this.minLength = maxOfKeyword(nodes, 'minLength', 0)
    this.maxLength = minOfKeyword(nodes, 'maxLength', Infinity)
    const constraints = nodes.flatMap((node) => constraintsOf(node, resolver))
    this.patterns = constraints.flatMap(({ language }) => language ?? [])
    this.enforced = constraints.filter(({ language }) => language).map(({ origin }) => origin)
    this.unenforced = constraints.filter(({ language }) => !language).map(({ origin }) => origin)
    this.values = values?.filter((value) => typeof value === 'string').filter((value) => this.fits(value))
  }

  /** Whether all strings fit. */
  get isUnconstrained(): boolean {
    return !this.values && this.patterns.length === 0 && this.minLength === 0 && this.maxLength === Infinity
  }

  /** Whether there are patterns, and an automaton of a reasonable size enforces them together with the length. */
  get isRegular(): boolean {
    const counted = Math.max(this.minLength, isFinite(this.maxLength) ? this.maxLength : 0)
    if (this.patterns.length === 0 || counted > maxCounted) return false
    return this.resolver.patterns.automaton(this.language()) !== undefined
  }

  fits(value: string): boolean {
    const length = Array.from(value).length
    const isListed = this.values?.includes(value) ?? true
    const hasLength = this.minLength <= length && length <= this.maxLength
    const { languages } = this.resolver.patterns
    return isListed && hasLength && this.patterns.every((pattern) => languages.matches(pattern, value))
  }

  language(): Language {
    const { languages } = this.resolver.patterns
    if (this.values) return languages.choice(...this.values.map((value) => languages.text(value)))
    const lengths = languages.repeat(languages.characters(anyCharacter), this.minLength, this.maxLength)
    return languages.intersection(lengths, ...this.patterns)
  }
}

interface Constraint {
  /** Undefined where there is no automaton of a reasonable size. */
  readonly language: Language | undefined
  readonly origin: KeywordLocation
}

const constraintsOf = (node: SchemaNode, { patterns }: SchemaResolver): Constraint[] => {
  const { pattern, format } = node.schema as JsonObject
  const constraints: Constraint[] = []
  if (typeof pattern === 'string')
    constraints.push({ language: patterns.language(pattern), origin: { keyword: 'pattern', node } })
  if (typeof format === 'string' && (formatPatterns.has(format) || otherFormats.has(format))) {
    const source = formatPatterns.get(format)
    const language = source === undefined ? undefined : patterns.constant(source)
    constraints.push({ language, origin: { keyword: 'format', node } })
  }
  return constraints
}
