import type { Budget } from '../budget.js'
import { choice, empty, rule, sequence, text } from '../expression.js'
import type { Expression } from '../expression.js'
import type { State } from '../patterns/automaton.js'
import type { Language } from '../patterns/language.js'
import { plainText, stringEnd } from '../patterns/write-automaton.js'
import { prefixTree } from '../prefix-tree.js'
import { Readings } from '../readings.js'
import type { Rules } from '../rules.js'
import { isFree, keyOf } from '../schema/alternative.js'
import type { Alternative, SchemaResolver, Origin, ValueType } from '../schema/alternative.js'
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
  private readonly places = new Map<string, SchemaNode>()
  private readonly pending: { readonly name: string; readonly found: readonly Alternative[] }[] = []
  private readonly readings: Readings
  private written = ''

  constructor(
    readonly rules: Rules,
    readonly alternatives: SchemaResolver,
    readonly budget: Budget,
    readonly leaveOut: (origins: readonly Origin[]) => void,
  ) {
    this.readings = new Readings(budget)
  }

  /** Returns the rule of the schema's values. */
  write(root: SchemaNode): Expression & { readonly kind: 'rule' } {
    const written = this.value([root])
    for (let next = this.pending.pop(); next; next = this.pending.pop()) {
      this.written = next.name
      this.rules.set(next.name, this.union(next.found))
    }
    this.readings.check()
    return written
  }

  /** The innermost schema that no finite value fits, where none fits the rule. */
  impossible(name: string): SchemaNode | undefined {
    const places = this.rules.unproductiveFrom(name).map((each) => this.places.get(each))
    return places.findLast((place) => place !== undefined)
  }

  /** The rule is written later, so that schemas may contain themselves. */
  value(nodes: readonly SchemaNode[], readings = 1): Expression & { readonly kind: 'rule' } {
    const found = this.alternatives.of(nodes)
    const key = found.map(keyOf).sort().join(';')
    const name = this.names.get(key) ?? this.rules.reserve(hintOf(found))
    this.readings.contain(this.written, name, readings)
    if (this.names.has(key)) return rule(name)
    this.names.set(key, name)
    const [place] = nodes
    if (place) this.places.set(name, place)
    this.pending.push({ name, found })
    return rule(name)
  }

  private union(found: readonly Alternative[]): Expression {
    for (const { unheld } of found) this.leaveOut(unheld)
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
    const { patterns } = this.alternatives
    const shapes = found.map((each) => new NumberShape(each))
    for (const { unheld } of shapes) this.leaveOut(unheld)
    const listed = shapes.flatMap(({ values = [] }) => values).map((value) => text(JSON.stringify(value)))
    const open = shapes.filter(({ values }) => !values).map((shape) => shape.language(patterns, this.leaveOut))
    const written = [...this.languages(open, 'number', plainText), ...listed]
    this.readings.fork(this.written, written.length)
    return written
  }

  private strings(found: readonly Alternative[]): Expression[] {
    const shapes = found.map((each) => new StringShape(each, this.alternatives))
    for (const { unheld } of shapes) this.leaveOut(unheld)
    const free = shapes.find(({ isFree: isAny }) => isAny)
    if (free) return [stringOfLength(0, Infinity, this.rules)]
    const open = shapes.filter(({ values }) => !values)
    const others = open.filter(({ isRegular }) => !isRegular)
    for (const { held } of others) this.leaveOut(held)
    const languages = open.filter(({ isRegular }) => isRegular).map((shape) => shape.language())
    const written = [
      ...this.languages(languages, 'string', stringOf),
      ...others.map(({ minLength, maxLength }) => stringOfLength(minLength, maxLength, this.rules)),
      ...listedTexts(shapes.flatMap(({ values = [] }) => values)),
    ]
    this.readings.fork(this.written, written.length)
    return written
  }

  /** One expression for all, or one for each where the automaton of all would be too large. */
  private languages(all: readonly Language[], hint: string, write: typeof plainText): Expression[] {
    if (all.length === 0) return []
    const union = this.alternatives.patterns.languages.choice(...all)
    const written = this.automaton(union) ? [union] : all
    return written.map((language) =>
      this.rules.share(`${hint} ${language.id}`, hint, () => write(this.automaton(language) ?? [], this.rules, hint)),
    )
  }

  private automaton(language: Language): readonly State[] | undefined {
    return this.alternatives.patterns.automaton(language)
  }

  private arrays(found: readonly Alternative[]): Expression[] {
    const free = found.find(isFree)
    const written = free ? [free] : found
    return written.map((each) => arrayExpression(each, written.length, this))
  }
}

const ofType = (found: readonly Alternative[], type: ValueType): readonly Alternative[] =>
  found.filter(({ types }) => types.has(type))

const allows = ({ types, values }: Alternative, literal: boolean | null): boolean =>
  types.has(literal === null ? 'null' : 'boolean') && (values?.includes(literal) ?? true)

/** Strings that are listed are told apart at each character. */
const listedTexts = (values: readonly string[]): Expression[] =>
  values.length ? [prefixTree([...new Set(values)].map((value) => ({ text: JSON.stringify(value), then: empty })))] : []

const stringOf: typeof plainText = (states, rules, hint) => sequence(text('"'), stringEnd(states, rules, hint))

const hintOf = (found: readonly Alternative[]): string =>
  [...new Set(found.flatMap(({ types }) => [...types]))].slice(0, 3).join('-')
