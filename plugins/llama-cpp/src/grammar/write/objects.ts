import { choice, rule, sequence, text } from '../expression.js'
import type { Expression } from '../expression.js'
import type { Rules } from '../rules.js'
import type { NormalForms } from '../schema/normal-forms.js'
import { keyOf } from '../schema/variant.js'
import type { ObjectVariant, Origin, Variant } from '../schema/variant.js'
import { separate } from './separate.js'
import type { Candidate } from './separate.js'
import { ObjectMachine } from './object-machine.js'
import type { Progress, Step } from './object-machine.js'
import { mayHaveOthers } from './object-keys.js'
import type { KeySet } from './object-keys.js'
import { prefixTree } from './prefix-tree.js'
import type { Continuation } from './prefix-tree.js'
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
  /** What is said next is of a rule that belongs to a value; several values may lead there. */
  readonly enter: (rule: string) => void
  /** Says that what was entered goes on with that rule. */
  readonly continueAs: (rule: string) => void
  /** Says that so many readings go on side by side. */
  readonly fork: (readings: number) => void
  /** Whether the grammar has room for the states of any order. */
  readonly mayPermute: (properties: number) => boolean
}

/** Where several alternatives are, all of which agree with what is written. */
interface Position {
  readonly machine: ObjectMachine
  readonly progress: Progress
}

/**
 * Writes the objects of one schema. Alternatives are read side by side, as far as they agree: what begins alike is one
 * rule. What is left of an object is one rule, too, wherever it stands.
 */
export class ObjectWriter {
  private readonly machines = new Map<string, ObjectMachine>()
  private readonly names = new Map<string, string>()
  /** Rules to be written: objects may have more properties than the stack takes calls. */
  private readonly pending: (() => void)[] = []

  constructor(private readonly context: ObjectContext) {}

  expression(variants: readonly ObjectVariant[]): Expression {
    const names = [...new Set(variants.flatMap(namesOf))]
    this.context.spend(2 * variants.length * names.length)
    const anyOrder = variants.length === 1 && names.length <= maxAnyOrder && this.context.mayPermute(names.length)
    const positions = variants.map((variant): Position => {
      const machine = this.machine(variant, names, anyOrder)
      return { machine, progress: machine.start }
    })
    const object = sequence(text('{'), this.endOrMore(positions))
    for (let next = this.pending.pop(); next; next = this.pending.pop()) next()
    return object
  }

  private machine(variant: ObjectVariant, names: readonly string[], anyOrder: boolean): ObjectMachine {
    const key = `${anyOrder} ${mayHaveOthers(variant) ? JSON.stringify(names) : ''} ${keyOf(variant)}`
    const known = this.machines.get(key)
    if (known) return known
    const { expander, leaveOut } = this.context
    const own = namesOf(variant)
    const machine = new ObjectMachine(this.machines.size, variant, { own, all: names }, anyOrder, expander)
    leaveOut(machine.unheld)
    this.machines.set(key, machine)
    return machine
  }

  /** After the value of a property: one rule for all that come there. */
  private continueFrom(positions: readonly Position[]): Expression {
    const key = keyOfPositions(positions)
    const known = this.names.get(key)
    const name = known ?? this.context.rules.reserve('object')
    this.context.continueAs(name)
    if (known !== undefined) return rule(name)
    this.names.set(key, name)
    this.pending.push(() => {
      this.context.enter(name)
      this.context.rules.set(name, this.endOrMore(positions, this.context.punctuation.comma))
    })
    return rule(name)
  }

  private endOrMore(positions: readonly Position[], ...before: readonly Expression[]): Expression {
    const end = positions.some(({ machine, progress }) => machine.accepts(progress)) ? [text('}')] : []
    const ways = this.propertiesFrom(positions)
    return choice(...end, ...(ways.length ? [sequence(...before, text('"'), choice(...ways))] : []))
  }

  /** What may follow the quotation mark that opens a key. */
  private propertiesFrom(positions: readonly Position[]): Expression[] {
    const byKey = new Map<string, Ahead[]>()
    for (const { machine, progress } of positions) {
      for (const { key, variants, to } of machine.steps(progress)) {
        const ahead = { key, variants, to: { machine, progress: to } }
        const id = typeof key === 'string' ? `"${key}` : key.key
        const others = byKey.get(id)
        if (others) others.push(ahead)
        else byKey.set(id, [ahead])
      }
    }
    const named: Continuation[] = []
    const others: Expression[] = []
    this.context.spend(positions.length)
    for (const ahead of byKey.values()) {
      const { key } = ahead[0] as Ahead
      if (typeof key === 'string') {
        this.context.spend(8 + key.length / 8)
        named.push({ text: JSON.stringify(key).slice(1), then: this.valueFrom(ahead) })
      } else others.push(sequence(this.keyRule(key), this.valueFrom(ahead)))
    }
    if (others.length > 1) this.context.fork(others.length)
    return named.length ? [prefixTree(named), ...others] : others
  }

  private keyRule({ key, write }: KeySet): Expression {
    return this.context.rules.share(`key ${key}`, 'key', () => write(this.context.rules))
  }

  private valueFrom(ahead: readonly Ahead[]): Expression {
    const { groups, overlap } = separate(
      ahead.map(({ variants, to }): Candidate<Position> => ({ variants, targets: [to] })),
      keyOfPositions,
    )
    if (overlap > 1) this.context.fork(overlap)
    const ways = groups.map(({ variants, targets }) =>
      sequence(this.context.value(variants), this.continueFrom(targets)),
    )
    return sequence(this.context.punctuation.colon, choice(...ways))
  }
}

interface Ahead {
  readonly key: Step['key']
  readonly variants: readonly Variant[]
  readonly to: Position
}

const namesOf = (variant: ObjectVariant): string[] => [
  ...new Set([...variant.layers.flatMap(({ properties }) => [...properties.keys()]), ...variant.required]),
]

const keyOfPositions = (positions: readonly Position[]): string => {
  const [first] = positions
  return positions.length === 1 && first ? keyOfPosition(first) : positions.map(keyOfPosition).sort().join(' ')
}

const keyOfPosition = ({ machine, progress: { at, count, named, others } }: Position): string =>
  `${machine.id}:${at}:${count}:${named}:${others}`
