import type { Budget } from '../budget.js'
import { choice, empty, rule, sequence, text } from '../expression.js'
import type { Expression } from '../expression.js'
import type { State } from '../patterns/automaton.js'
import type { Language } from '../patterns/language.js'
import { plainText, stringTail } from '../patterns/write-automaton.js'
import { prefixTree } from '../prefix-tree.js'
import { Ambiguity } from '../ambiguity.js'
import type { Rules } from '../rules.js'
import { isUnconstrained, keyOf } from '../schema/alternative.js'
import type { Alternative, SchemaResolver, KeywordLocation, ValueType } from '../schema/alternative.js'
import type { SchemaNode } from '../schema/document.js'
import { NumberShape } from '../schema/number-shape.js'
import { StringShape } from '../schema/string-shape.js'
import { arrayExpression } from './arrays.js'
import { objectsExpression } from './objects.js'
import { stringOfLength } from './strings.js'
import type { ValueContext } from './value-context.js'

/** Writes the rules of one schema. */
export class SchemaWriter implements ValueContext {
  private readonly names = new Map<string, string>()
  private readonly nodesByRule = new Map<string, SchemaNode>()
  private readonly pending: { readonly name: string; readonly found: readonly Alternative[] }[] = []
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
  write(root: SchemaNode): Expression & { readonly kind: 'rule' } {
    const written = this.value([root])
    for (let next = this.pending.pop(); next; next = this.pending.pop()) {
      this.currentRule = next.name
      this.rules.set(next.name, this.union(next.found))
    }
    this.ambiguity.check()
    return written
  }

  /** The innermost schema that no finite value fits, where the rule is unproductive. */
  unsatisfiable(name: string): SchemaNode | undefined {
    const places = this.rules.unproductiveFrom(name).map((each) => this.nodesByRule.get(each))
    return places.findLast((place) => place !== undefined)
  }

  /** Returns the name of a rule that is written later, so that schemas may contain themselves. */
  value(nodes: readonly SchemaNode[], parses = 1): Expression & { readonly kind: 'rule' } {
    const found = this.resolver.alternativesOf(nodes)
    const key = found.map(keyOf).sort().join(';')
    const name = this.names.get(key) ?? this.rules.reserve(hintOf(found))
    this.ambiguity.contain(this.currentRule, name, parses)
    if (this.names.has(key)) return rule(name)
    this.names.set(key, name)
    const [place] = nodes
    if (place) this.nodesByRule.set(name, place)
    this.pending.push({ name, found })
    return rule(name)
  }

  private union(found: readonly Alternative[]): Expression {
    for (const { unenforced } of found) this.reportUnenforced(unenforced)
    const literals = [null, true, false].filter((literal) => found.some((each) => allows(each, literal)))
    return choice(
      ...literals.map((literal) => text(String(literal))),
      ...this.numbers(ofType(found, 'number')),
      ...this.strings(ofType(found, 'string')),
      ...this.arrays(ofType(found, 'array')),
      ...objectsExpression(ofType(found, 'object'), this),
    )
  }

  private numbers(found: readonly Alternative[]): Expression[] {
    const { patterns } = this.resolver
    const shapes = found.map((each) => new NumberShape(each))
    for (const { unenforced } of shapes) this.reportUnenforced(unenforced)
    const listed = shapes.flatMap(({ values = [] }) => values).map((value) => text(JSON.stringify(value)))
    const open = shapes.filter(({ values }) => !values).map((shape) => shape.language(patterns))
    const written = [...this.languages(open, 'number', plainText), ...listed]
    this.ambiguity.fork(this.currentRule, written.length)
    return written
  }

  private strings(found: readonly Alternative[]): Expression[] {
    const shapes = found.map((each) => new StringShape(each, this.resolver))
    for (const { unenforced } of shapes) this.reportUnenforced(unenforced)
    const free = shapes.find(({ isUnconstrained: isAny }) => isAny)
    if (free) return [stringOfLength(0, Infinity, this.rules)]
    const open = shapes.filter(({ values }) => !values)
    const others = open.filter(({ isRegular }) => !isRegular)
    for (const { enforced } of others) this.reportUnenforced(enforced)
    const languages = open.filter(({ isRegular }) => isRegular).map((shape) => shape.language())
    const written = [
      ...this.languages(languages, 'string', stringOf),
      ...others.map(({ minLength, maxLength }) => stringOfLength(minLength, maxLength, this.rules)),
      ...listedTexts(shapes.flatMap(({ values = [] }) => values)),
    ]
    this.ambiguity.fork(this.currentRule, written.length)
    return written
  }

  /** One expression for the union, or one for each language where the automaton of the union is too large. */
  private languages(all: readonly Language[], hint: string, write: typeof plainText): Expression[] {
    if (all.length === 0) return []
    const union = this.resolver.patterns.languages.choice(...all)
    const written = this.automaton(union) ? [union] : all
    return written.map((language) =>
      this.rules.share(`${hint} ${language.id}`, hint, () => write(this.automaton(language) ?? [], this.rules, hint)),
    )
  }

  private automaton(language: Language): readonly State[] | undefined {
    return this.resolver.patterns.automaton(language)
  }

  private arrays(found: readonly Alternative[]): Expression[] {
    const free = found.find(isUnconstrained)
    const written = free ? [free] : found
    return written.map((each) => arrayExpression(each, written.length, this))
  }
}

const ofType = (found: readonly Alternative[], type: ValueType): readonly Alternative[] =>
  found.filter(({ types }) => types.has(type))

const allows = ({ types, values }: Alternative, literal: boolean | null): boolean =>
  types.has(literal === null ? 'null' : 'boolean') && (values?.includes(literal) ?? true)

/** Writes listed strings as a prefix tree. */
const listedTexts = (values: readonly string[]): Expression[] =>
  values.length ? [prefixTree([...new Set(values)].map((value) => ({ text: JSON.stringify(value), then: empty })))] : []

const stringOf: typeof plainText = (states, rules, hint) => sequence(text('"'), stringTail(states, rules, hint))

const hintOf = (found: readonly Alternative[]): string =>
  [...new Set(found.flatMap(({ types }) => [...types]))].slice(0, 3).join('-')
