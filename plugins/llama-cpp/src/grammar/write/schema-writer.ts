import { AutomatonTooLarge } from '../automaton/automaton.js'
import type { Automaton, Spend } from '../automaton/automaton.js'
import { union } from '../automaton/product.js'
import { automatonExpression } from '../automaton/rules-of.js'
import type { Budget } from '../budget.js'
import { choice, empty, rule, sequence, text } from '../expression.js'
import type { Expression } from '../expression.js'
import type { Rules } from '../rules.js'
import type { SchemaNode } from '../schema/node.js'
import type { Conjunction, NormalForms } from '../schema/normal-forms.js'
import { normalise } from '../schema/normalise.js'
import { keyOf } from '../schema/variant.js'
import type { NumberVariant, Origin, StringVariant, Variant } from '../schema/variant.js'
import { arrayExpression } from './arrays.js'
import { numberAutomaton } from './numbers.js'
import { ObjectWriter } from './objects.js'
import type { ObjectContext } from './objects.js'
import { prefixTree } from './prefix-tree.js'
import { punctuationOf } from './punctuation.js'
import { Readings } from './readings.js'
import { lengthExpression, stringAutomaton, textExpression } from './strings.js'

/** States of objects whose properties may come in any order, in one schema. */
const maxPermutations = 256

/** Writes the rules of one schema. */
export class SchemaWriter {
  private readonly names = new Map<string, string>()
  /** The same by the list itself, whose key takes long to find. */
  private readonly named = new WeakMap<readonly Variant[], string>()
  private readonly places = new Map<string, SchemaNode>()
  private readonly pending: { readonly name: string; readonly variants: readonly Variant[] }[] = []
  private readonly readings: Readings
  private readonly spend: Spend
  private readonly context: ObjectContext
  private readonly objects: ObjectWriter
  private permutations = 0

  /** @param leaveOut takes note of keywords that are not held, or refuses them */
  constructor(
    private readonly rules: Rules,
    private readonly expander: NormalForms,
    budget: Budget,
    private readonly leaveOut: (origins: readonly Origin[]) => void,
  ) {
    this.spend = (steps) => budget.spend('steps', steps)
    this.readings = new Readings(budget)
    this.context = {
      rules,
      expander,
      leaveOut,
      punctuation: punctuationOf(rules),
      value: (variants) => this.value(variants),
      spend: this.spend,
      enter: (name) => this.readings.enter(name),
      continueAs: (name) => this.readings.continueAs(name),
      fork: (count) => this.readings.fork(count),
      mayPermute: (properties) => (this.permutations += 2 ** properties) <= maxPermutations,
    }
    this.objects = new ObjectWriter(this.context)
  }

  /** The name of the rule. */
  write(conjunction: Conjunction): string {
    const { name } = this.value(this.expander.expand(conjunction))
    for (let next = this.pending.pop(); next; next = this.pending.pop()) {
      this.readings.enter(next.name)
      this.rules.set(next.name, this.union(next.variants))
    }
    this.readings.check()
    return name
  }

  /** The innermost schema that no finite value fits, where none fits the rule. */
  impossible(name: string): SchemaNode | undefined {
    const way = this.rules.unproductiveWay(name)
    return way.map((step) => this.places.get(step)).findLast((place) => place !== undefined)
  }

  /** Its rule is written later, so that nesting needs no recursion. */
  private value(variants: readonly Variant[]): Expression & { readonly kind: 'rule' } {
    const name = this.named.get(variants) ?? this.nameOf(variants)
    this.named.set(variants, name)
    this.readings.contain(name)
    return rule(name)
  }

  private nameOf(variants: readonly Variant[]): string {
    const [first] = variants
    const key = variants.length === 1 && first ? keyOf(first) : variants.map(keyOf).sort().join(';')
    const known = this.names.get(key)
    if (known !== undefined) return known
    const name = this.rules.reserve(hintOf(variants))
    this.names.set(key, name)
    const place = this.expander.placeOf(variants)
    if (place) this.places.set(name, place)
    this.pending.push({ name, variants })
    return name
  }

  private union(all: readonly Variant[]): Expression {
    const variants = normalise(all)
    for (const { type, unheld } of variants) if (type !== 'object') this.leaveOut(unheld)
    const arrays = variants.filter((variant) => variant.type === 'array')
    const objects = variants.filter((variant) => variant.type === 'object')
    if (arrays.length > 1) this.readings.fork(arrays.length)
    return choice(
      ...variants.filter(({ type }) => type === 'null').map(() => text('null')),
      ...variants.filter((variant) => variant.type === 'boolean').map(({ value }) => text(String(value))),
      ...this.numbers(variants.filter((variant) => variant.type === 'number')),
      ...this.strings(variants.filter((variant) => variant.type === 'string')),
      ...arrays.map((variant) =>
        arrayExpression(variant, {
          ...this.context,
          value: (conjunction) => this.value(this.expander.expand(conjunction)),
        }),
      ),
      ...(objects.length ? [this.objects.expression(objects)] : []),
    )
  }

  private numbers(variants: readonly NumberVariant[]): Expression[] {
    const [first] = variants
    if (variants.length === 1 && first)
      return [
        this.rules.share(keyOf(first), 'number', () =>
          automatonExpression(this.numbersOf(first), this.rules, 'number'),
        ),
      ]
    const automata = variants.map((variant) => this.numbersOf(variant))
    return joinAutomata(automata, this.readings, this.spend).map((numbers) =>
      automatonExpression(numbers, this.rules, 'number'),
    )
  }

  private numbersOf(variant: NumberVariant): Automaton {
    try {
      return numberAutomaton(variant, this.expander.patterns)
    } catch (error) {
      if (!(error instanceof AutomatonTooLarge)) throw error
      this.leaveOut(variant.multiples.map(({ origin }) => origin))
      return numberAutomaton({ ...variant, multiples: [] }, this.expander.patterns)
    }
  }

  private strings(variants: readonly StringVariant[]): Expression[] {
    if (variants.every(({ values }) => values !== undefined)) return listedTexts(variants)
    const [first] = variants
    if (variants.length === 1 && first)
      return [this.rules.share(keyOf(first), 'text', () => choice(...this.textsOfAll([first])))]
    return this.textsOfAll(variants)
  }

  private textsOfAll(variants: readonly StringVariant[]): Expression[] {
    const automata: Automaton[] = []
    const lengths: StringVariant[] = []
    for (const variant of variants) {
      const automaton = this.textsOf(variant)
      if (automaton) automata.push(automaton)
      else lengths.push(variant)
    }
    const joined = joinAutomata(automata, this.readings, this.spend)
    if (joined.length > 0 && lengths.length > 0) this.readings.fork(joined.length + lengths.length)
    return [
      ...joined.map((automaton) => sequence(text('"'), textExpression(automaton, this.rules, 'text'))),
      ...lengths.map((variant) => lengthExpression(variant, this.rules)),
    ]
  }

  private textsOf(variant: StringVariant): Automaton | undefined {
    try {
      return stringAutomaton(variant, this.expander.patterns)
    } catch (error) {
      if (!(error instanceof AutomatonTooLarge)) throw error
      this.leaveOut(variant.patterns.map(({ origin }) => origin))
      return undefined
    }
  }
}

const listedTexts = (variants: readonly StringVariant[]): Expression[] => {
  const values = new Set(variants.flatMap((variant) => variant.values ?? []))
  return values.size ? [prefixTree([...values].map((value) => ({ text: JSON.stringify(value), then: empty })))] : []
}

const hintOf = (variants: readonly Variant[]): string =>
  [...new Set(variants.map(({ type }) => type))].slice(0, 3).join('-')

/** One automaton, or several where it would be too large. */
const joinAutomata = (automata: readonly Automaton[], readings: Readings, spend: Spend): readonly Automaton[] => {
  const [first, ...rest] = automata
  if (!first) return []
  try {
    return [rest.reduce((all, each) => union(all, each, spend), first)]
  } catch (error) {
    if (!(error instanceof AutomatonTooLarge)) throw error
    readings.fork(automata.length)
    return automata
  }
}
