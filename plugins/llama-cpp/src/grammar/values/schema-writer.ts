import type { Budget } from '../budget.js'
import { characters, choice, empty, nothing, repeat, rule, sequence, text } from '../expression.js'
import type { Expression, RuleReference } from '../expression.js'
import type { Language } from '../patterns/language.js'
import { codePointsOf } from '../patterns/code-points.js'
import { needsNoEscape, plainText, stringTail } from '../patterns/write-automaton.js'
import { prefixTree } from '../prefix-tree.js'
import { Ambiguity } from '../ambiguity.js'
import { boundedRepeat } from '../repetition.js'
import type { Rules } from '../rules.js'
import { isUnconstrained, keyOf } from '../schema/alternative.js'
import type { Alternative, SchemaResolver, KeywordLocation, ValueType } from '../schema/alternative.js'
import type { SchemaNode } from '../schema/document.js'
import { NumberShape } from '../schema/number-shape.js'
import { StringShape } from '../schema/string-shape.js'
import { arrayExpression } from './arrays.js'
import { objectsExpression } from './objects.js'
import type { ValueContext } from './value-context.js'

/** Writes the rules of one schema. */
export class SchemaWriter implements ValueContext {
  private readonly names = new Map<string, string>()
  private readonly nodesByRule = new Map<string, SchemaNode>()
  private readonly pending: { readonly name: string; readonly alternatives: readonly Alternative[] }[] = []
  private readonly ambiguity: Ambiguity
  private currentRule = ''

  constructor(
    readonly rules: Rules,
    readonly resolver: SchemaResolver,
    readonly budget: Budget,
    readonly reportUnenforced: (origins: readonly KeywordLocation[]) => void,
  ) {
    this.ambiguity = new Ambiguity(budget)
  }

  /** Returns the rule of the schema's values. */
  write(root: SchemaNode): RuleReference {
    const reference = this.value([root])
    for (let next = this.pending.pop(); next; next = this.pending.pop()) {
      this.currentRule = next.name
      this.rules.set(next.name, this.union(next.alternatives))
    }
    this.ambiguity.check()
    return reference
  }

  /** The innermost schema that no finite value fits, where the rule is unproductive. */
  unsatisfiable(name: string): SchemaNode | undefined {
    const nodes = this.rules.unproductiveFrom(name).map((each) => this.nodesByRule.get(each))
    return nodes.findLast((node) => node !== undefined)
  }

  /** Refers to a rule that is written later, so that schemas may contain themselves. */
  value(nodes: readonly SchemaNode[], parses = 1): RuleReference {
    const alternatives = this.resolver.alternativesOf(nodes)
    const key = alternatives.map(keyOf).sort().join(';')
    const name = this.names.get(key) ?? this.rules.reserve(hintOf(alternatives))
    this.ambiguity.contain(this.currentRule, name, parses)
    if (this.names.has(key)) return rule(name)
    this.names.set(key, name)
    if (nodes[0]) this.nodesByRule.set(name, nodes[0])
    this.pending.push({ name, alternatives })
    return rule(name)
  }

  private union(alternatives: readonly Alternative[]): Expression {
    for (const { unenforced } of alternatives) this.reportUnenforced(unenforced)
    const literals = [null, true, false].filter((literal) => alternatives.some((each) => allows(each, literal)))
    const ofType = (type: ValueType) => alternatives.filter(({ types }) => types.has(type))
    return choice(
      ...literals.map((literal) => text(String(literal))),
      ...this.numbers(ofType('number')),
      ...this.strings(ofType('string')),
      ...this.arrays(ofType('array')),
      ...objectsExpression(ofType('object'), this),
    )
  }

  private numbers(alternatives: readonly Alternative[]): Expression[] {
    const shapes = alternatives.map((each) => new NumberShape(each))
    for (const { unenforced } of shapes) this.reportUnenforced(unenforced)
    const constants = shapes.flatMap(({ values = [] }) => values).map((value) => text(JSON.stringify(value)))
    const open = shapes.filter(({ values }) => !values).map((shape) => shape.language(this.resolver.patterns))
    const expressions = [...this.languages(open, 'number', plainText), ...constants]
    this.ambiguity.fork(this.currentRule, expressions.length)
    return expressions
  }

  private strings(alternatives: readonly Alternative[]): Expression[] {
    const shapes = alternatives.map((each) => new StringShape(each, this.resolver))
    for (const { unenforced } of shapes) this.reportUnenforced(unenforced)
    if (shapes.some((shape) => shape.isUnconstrained)) return [stringOfLength(0, Infinity, this.rules)]
    const open = shapes.filter(({ values }) => !values)
    const regular = open.filter(({ isRegular }) => isRegular).map((shape) => shape.language())
    const irregular = open.filter(({ isRegular }) => !isRegular)
    for (const { enforced } of irregular) this.reportUnenforced(enforced)
    const expressions = [
      ...this.languages(regular, 'string', stringOf),
      ...irregular.map(({ minLength, maxLength }) => stringOfLength(minLength, maxLength, this.rules)),
      ...constantStrings(shapes.flatMap(({ values = [] }) => values)),
    ]
    this.ambiguity.fork(this.currentRule, expressions.length)
    return expressions
  }

  /** One expression for the union, or one for each language where the automaton of the union is too large. */
  private languages(all: readonly Language[], hint: string, write: typeof plainText): Expression[] {
    if (all.length === 0) return []
    const { resolver, rules } = this
    const { patterns } = resolver
    const union = patterns.languages.choice(...all)
    return (patterns.automaton(union) ? [union] : all).map((language) =>
      rules.share(`${hint} ${language.id}`, hint, () => write(patterns.automaton(language) ?? [], rules, hint)),
    )
  }

  private arrays(alternatives: readonly Alternative[]): Expression[] {
    const free = alternatives.find(isUnconstrained)
    const arrays = free ? [free] : alternatives
    return arrays.map((each) => arrayExpression(each, arrays.length, this))
  }
}

const allows = ({ types, values }: Alternative, literal: boolean | null): boolean =>
  types.has(literal === null ? 'null' : 'boolean') && (values?.includes(literal) ?? true)

/** A prefix tree of constants. */
const constantStrings = (values: readonly string[]): Expression[] =>
  values.length ? [prefixTree([...new Set(values)].map((value) => ({ text: JSON.stringify(value), then: empty })))] : []

const stringOf: typeof plainText = (states, rules, hint) => sequence(text('"'), stringTail(states, rules, hint))

const hintOf = (alternatives: readonly Alternative[]): string =>
  [...new Set(alternatives.flatMap(({ types }) => [...types]))].slice(0, 3).join('-')

/** A rule for strings with a number of code points. */
const stringOfLength = (min: number, max: number, rules: Rules): Expression => {
  if (max < min) return nothing
  const character = rules.share('character', 'char', jsonCharacter)
  return sequence(text('"'), max === 0 ? empty : boundedRepeat(character.name, min, max, rules), text('"'))
}

/** A rule for one code point, plain or escaped. No escape is half of a surrogate pair. */
const jsonCharacter = (): Expression => {
  const digit = oneOf('0123456789ABCDEFabcdef')
  const unicode = choice(
    sequence(oneOf('0123456789ABCEFabcef'), repeat(digit, 3, 3)),
    sequence(oneOf('Dd'), oneOf('01234567'), repeat(digit, 2, 2)),
  )
  const escape = choice(oneOf('"\\/bfnrt'), sequence(text('u'), unicode))
  return choice(characters(...needsNoEscape), sequence(text('\\'), escape))
}

const oneOf = (all: string): Expression => characters(...codePointsOf(all))
