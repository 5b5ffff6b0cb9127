import { formatPatterns, otherFormats } from '../formats.js'
import { anyCharacter } from '../patterns/code-points.js'
import type { Language } from '../patterns/language.js'
import type { Alternative, SchemaResolver, Origin } from './alternative.js'
import { largest, smallest } from './document.js'
import type { JsonObject, SchemaNode } from './document.js'

/** Longer strings are counted by nested repetitions, which go with no pattern. */
const maxCounted = 1000

/** What an alternative says of strings. */
export class StringShape {
  /** Lengths are counted in code points. */
  readonly minLength: number
  readonly maxLength: number
  /** Keywords whose patterns are held. */
  readonly held: readonly Origin[]
  readonly unheld: readonly Origin[]
  /** The only strings, where they are listed. */
  readonly values: readonly string[] | undefined = undefined
  private readonly patterns: readonly Language[]

  constructor(
    { nodes, values }: Alternative,
    private readonly alternatives: SchemaResolver,
  ) {
    this.minLength = largest(nodes, 'minLength', 0)
    this.maxLength = smallest(nodes, 'maxLength', Infinity)
    const constraints = nodes.flatMap((node) => constraintsOf(node, alternatives))
    this.patterns = constraints.flatMap(({ language }) => language ?? [])
    this.held = constraints.filter(({ language }) => language).map(({ origin }) => origin)
    this.unheld = constraints.filter(({ language }) => !language).map(({ origin }) => origin)
    this.values = values?.filter((value) => typeof value === 'string').filter((value) => this.fits(value))
  }

  /** Whether all strings fit. */
  get isFree(): boolean {
    return !this.values && this.patterns.length === 0 && this.minLength === 0 && this.maxLength === Infinity
  }

  /** Whether more matters than the length, and an automaton of a reasonable size can tell it. */
  get isRegular(): boolean {
    const counted = Math.max(this.minLength, isFinite(this.maxLength) ? this.maxLength : 0)
    if (this.patterns.length === 0 || counted > maxCounted) return false
    return this.alternatives.patterns.automaton(this.language()) !== undefined
  }

  fits(value: string): boolean {
    const length = Array.from(value).length
    const isListed = this.values?.includes(value) ?? true
    const hasLength = this.minLength <= length && length <= this.maxLength
    const { languages } = this.alternatives.patterns
    return isListed && hasLength && this.patterns.every((pattern) => languages.matches(pattern, value))
  }

  language(): Language {
    const { languages } = this.alternatives.patterns
    if (this.values) return languages.choice(...this.values.map((value) => languages.text(value)))
    const lengths = languages.repeat(languages.characters(anyCharacter), this.minLength, this.maxLength)
    return languages.all(lengths, ...this.patterns)
  }
}

interface Constraint {
  /** Undefined where no automaton of a reasonable size tells what is meant. */
  readonly language: Language | undefined
  readonly origin: Origin
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
