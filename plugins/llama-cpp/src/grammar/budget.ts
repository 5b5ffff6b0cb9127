import { failure } from '@sallyport/core'

/** How much work one request may cause. A schema beyond it is refused, so that none holds up or fills the server. */
export interface GrammarLimits {
  /** Levels of nesting in a schema, and of references that lead to references. */
  readonly depth: number
  /** Subschemas, properties and values of all schemas. */
  readonly nodes: number
  /** Units of work: merges of two alternatives, states and transitions of automata. */
  readonly steps: number
  /** Rules of the grammar. */
  readonly rules: number
  /** Length of the grammar's text. llama.cpp parses some 10 MB of it in a second. */
  readonly characters: number
  /** Ways in which a text may be read at the same time, each of which llama.cpp follows for every token. */
  readonly readings: number
}

export const defaultLimits: GrammarLimits = {
  depth: 128,
  nodes: 50_000,
  steps: 100_000,
  rules: 30_000,
  characters: 2_000_000,
  readings: 256,
}

const complaints: Record<keyof GrammarLimits, (limit: number) => string> = {
  depth: (limit) => `the schema is nested, or its references are chained, deeper than ${limit} levels: flatten it`,
  nodes: (limit) => `the schemas have more than ${limit} parts: make them smaller`,
  steps: (limit) => `the schema takes more than ${limit} steps to compile: combine fewer alternatives in it`,
  rules: (limit) => `the schema needs more than ${limit} grammar rules: make it smaller`,
  characters: (limit) => `the schema needs a grammar of more than ${limit} characters: make it smaller`,
  readings: (limit) =>
    `alternatives that begin alike could be read in more than ${limit} ways: tell them apart by a first property with a constant`,
}

/** Counts work against the limits of one grammar. */
export class Budget {
  private readonly spent = { nodes: 0, steps: 0, rules: 0, characters: 0 }
  /** Of the schema that is compiled at present, for messages. */
  field = ''

  constructor(private readonly limits: GrammarLimits) {}

  /** @throws invalid_request when more than the limit was spent */
  spend(what: keyof typeof this.spent, amount = 1): void {
    this.spent[what] += amount
    this.check(what, this.spent[what])
  }

  /** For quantities that are not added up. @throws invalid_request */
  check(what: keyof GrammarLimits, amount: number): void {
    const limit = this.limits[what]
    if (amount > limit) throw failure('invalid_request', { field: this.field, problem: complaints[what](limit) })
  }
}
