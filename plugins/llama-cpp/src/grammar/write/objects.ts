import { choice, rule, sequence, text } from '../expression.js'
import type { Expression } from '../expression.js'
import type { Rules } from '../rules.js'
import type { NormalForms } from '../schema/normal-forms.js'
import type { ObjectVariant, Origin, Variant } from '../schema/variant.js'
import { separate } from './separate.js'
import type { Candidate } from './separate.js'
import { ObjectMachine } from './object-machine.js'
import type { Progress, Step } from './object-machine.js'
import type { KeySet } from './object-keys.js'
import { prefixTree } from './prefix-tree.js'
import type { Punctuation } from './punctuation.js'

/** Up to so many properties may be written in any order: each subset is a state. */
const maxAnyOrder = 6

export interface ObjectContext {
  readonly rules: Rules
  readonly expander: NormalForms
  readonly punctuation: Punctuation
  /** The rule of the union. */
  readonly value: (variants: readonly Variant[]) => Expression
  readonly leaveOut: (origins: readonly Origin[]) => void
  /** Counts work. */
  readonly spend: (steps: number) => void
  /** Says that so many readings go on side by side. */
  readonly fork: (readings: number) => void
  /** Whether the grammar has room for the states of any order. */
  readonly mayPermute: (properties: number) => boolean
}

/** Where several alternatives are, all of which agree with what is written. */
interface Position {
  readonly machine: number
  readonly progress: Progress
}

/** Several alternatives are read side by side, as far as they agree: what begins alike is one rule. */
export class ObjectWriter {
  private readonly machines: readonly ObjectMachine[]
  private readonly after = new Map<string, string>()
  private readonly inside = new Map<string, string>()
  /** Rules to be written: objects may have more properties than the stack takes calls. */
  private readonly pending: (() => void)[] = []

  constructor(
    variants: readonly ObjectVariant[],
    private readonly context: ObjectContext,
  ) {
    const names = [...new Set(variants.flatMap(namesOf))]
    context.spend(2 * variants.length * names.length)
    const anyOrder = variants.length === 1 && names.length <= maxAnyOrder && context.mayPermute(names.length)
    this.machines = variants.map(
      (variant) => new ObjectMachine(variant, { own: namesOf(variant), all: names }, anyOrder, context.expander),
    )
    for (const { unheld } of this.machines) context.leaveOut(unheld)
  }

  expression(): Expression {
    const positions = this.machines.map(({ start }, machine) => ({ machine, progress: start }))
    const empty = this.accepts(positions) ? [text('}')] : []
    const object = sequence(text('{'), choice(...empty, sequence(text('"'), this.propertiesFrom(positions))))
    for (let next = this.pending.pop(); next; next = this.pending.pop()) next()
    return object
  }

  private accepts(positions: readonly Position[]): boolean {
    return positions.some(({ machine, progress }) => this.machines[machine]?.accepts(progress))
  }

  /** After the value of a property. */
  private continueFrom(positions: readonly Position[]): Expression {
    return this.memoise(this.after, positions, () => {
      const more = sequence(this.context.punctuation.comma, text('"'), this.propertiesFrom(positions))
      return choice(...(this.accepts(positions) ? [text('}')] : []), more)
    })
  }

  /** After the quotation mark that opens a key. */
  private propertiesFrom(positions: readonly Position[]): Expression {
    return this.memoise(this.inside, positions, () => {
      const byName = new Map<string, Ahead[]>()
      const bySet = new Map<string, Ahead[]>()
      for (const { machine, progress } of positions) {
        for (const { key, value, to } of this.machines[machine]?.steps(progress) ?? []) {
          const [map, name] = typeof key === 'string' ? [byName, key] : [bySet, key.key]
          const variants = this.context.expander.expand(value)
          map.set(name, [...(map.get(name) ?? []), { key, variants, to: { machine, progress: to } }])
        }
      }
      if (bySet.size > 1) this.context.fork(bySet.size)
      this.context.spend(positions.length + sumOf([...byName.keys()].map((name) => 8 + name.length / 8)))
      const named = [...byName].map(([name, ahead]) => ({
        text: JSON.stringify(name).slice(1),
        then: this.valueFrom(ahead),
      }))
      const others = [...bySet.values()].map((ahead) => sequence(this.keyOf(ahead), this.valueFrom(ahead)))
      return choice(...(named.length ? [prefixTree(named)] : []), ...others)
    })
  }

  private keyOf([ahead]: readonly Ahead[]): Expression {
    const { key, write } = ahead?.key as KeySet
    return this.context.rules.share(`key ${key}`, 'key', () => write(this.context.rules))
  }

  private valueFrom(ahead: readonly Ahead[]): Expression {
    const { groups, overlap } = separate(
      ahead.map(({ variants, to }): Candidate<Position> => ({ variants, targets: [to] })),
    )
    if (overlap > 1) this.context.fork(overlap)
    const ways = groups.map(({ variants, targets }) =>
      sequence(this.context.value(variants), this.continueFrom(targets)),
    )
    return sequence(this.context.punctuation.colon, choice(...ways))
  }

  private memoise(names: Map<string, string>, positions: readonly Position[], body: () => Expression): Expression {
    const key = keyOfPositions(positions)
    const known = names.get(key)
    if (known !== undefined) return rule(known)
    const name = this.context.rules.reserve('object')
    names.set(key, name)
    this.pending.push(() => this.context.rules.set(name, body()))
    return rule(name)
  }
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

interface Ahead {
  readonly key: Step['key']
  readonly variants: readonly Variant[]
  readonly to: Position
}

const namesOf = (variant: ObjectVariant): string[] => [
  ...new Set([...variant.layers.flatMap(({ properties }) => [...properties.keys()]), ...variant.required]),
]

const keyOfPositions = (positions: readonly Position[]): string =>
  positions
    .map(({ machine, progress: { at, count, distinct } }) => `${machine}:${at}:${count}:${distinct}`)
    .sort()
    .join(' ')
