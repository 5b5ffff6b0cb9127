import { failure } from '@sallyport/core'

/** Limits of the work that one request may cause. A schema beyond them is refused, so that none exhausts the server. */
interface Limits {
  /** Levels of nesting in a schema, and of references that lead to references. */
  readonly depth: number
  /** Subschemas, properties and values of all schemas. */
  readonly nodes: number
  /** Units of work: pairs of alternatives that are combined, states of patterns. */
  readonly steps: number
  /** Rules of the grammar. */
  readonly rules: number
  /** Length of the grammar's text. llama.cpp parses some 10 MB of it in a second. */
  readonly characters: number
  /** Optional properties that may come next. llama.cpp keeps a parse for each of them until the key is known. */
  readonly properties: number
  /** Parses of the beginning of a text. llama.cpp follows each of them for every token. */
  readonly parses: number
}

const limits: Limits = {
  depth: 128,
  nodes: 50_000,
  steps: 100_000,
  rules: 30_000,
  characters: 2_000_000,
  properties: 1000,
  parses: 256,
}

const messages: Record<keyof Limits, (limit: number) => string> = {
  depth: (limit) => `the schema is nested, or its references are chained, deeper than ${limit} levels: flatten it`,
  nodes: (limit) => `the schemas have more than ${limit} parts: make them smaller`,
  steps: (limit) => `the schema takes more than ${limit} steps to compile: combine fewer alternatives in it`,
  rules: (limit) => `the schema needs more than ${limit} grammar rules: make it smaller`,
  characters: (limit) => `the schema needs a grammar of more than ${limit} characters: make it smaller`,
  properties: (limit) => `an object may go on with more than ${limit} properties: make some of them required`,
  parses: (limit) =>
    `alternatives that begin alike could be read in more than ${limit} ways: distinguish them by a first property with a constant`,
}

/** Adds up the work for one grammar, and refuses what exceeds a limit. */
export class Budget {
  private readonly spent = { nodes: 0, steps: 0, rules: 0, characters: 0 }
  /** The request field of the schema that is being compiled, for messages. */
  field = ''

  /** @throws invalid_request when more than the limit was spent */
  spend(what: keyof typeof this.spent, amount = 1): void {
    this.spent[what] += amount
    this.check(what, this.spent[what])
  }

  /** @throws invalid_request when a quantity that is not added up exceeds its limit */
  check(what: keyof Limits, amount: number): void {
    const limit = limits[what]
    if (amount > limit) throw failure('invalid_request', { field: this.field, problem: messages[what](limit) })
  }
}
