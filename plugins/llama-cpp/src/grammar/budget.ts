import { failure } from '@sallyport/core'

/** Limits of the work that one request may cause. A schema beyond them is refused, so that none exhausts the server. */
const limits = {
  /** Levels of nesting in a schema, and of references that lead to references. */
  depth: 128,
  /** Subschemas, properties and values of all schemas. */
  nodes: 50_000,
  /** Units of work: pairs of alternatives that are combined, states of patterns. */
  steps: 100_000,
  /** Rules of the grammar. */
  rules: 30_000,
  /** Length of the grammar's text. llama.cpp parses some 10 MB of it in a second. */
  characters: 2_000_000,
  /** Optional properties that may come next. llama.cpp keeps a parse for each of them until the key is known. */
  properties: 1000,
  /** Parses of the beginning of a text. llama.cpp follows each of them for every token. */
  parses: 256,
}
type Quantity = keyof typeof limits

const problems: Record<Quantity, string> = {
  depth: `the schema is nested, or its references are chained, deeper than ${limits.depth} levels: flatten it`,
  nodes: `the schemas have more than ${limits.nodes} parts: make them smaller`,
  steps: `the schema takes more than ${limits.steps} steps to compile: combine fewer alternatives in it`,
  rules: `the schema needs more than ${limits.rules} grammar rules: make it smaller`,
  characters: `the schema needs a grammar of more than ${limits.characters} characters: make it smaller`,
  properties: `an object may go on with more than ${limits.properties} properties: make some of them required`,
  parses: `alternatives that begin alike could be read in more than ${limits.parses} ways: distinguish them by a first property with a constant`,
}

/** Adds up the work for one grammar, and refuses what exceeds a limit. */
export class Budget {
  private readonly spent = { nodes: 0, steps: 0, rules: 0, characters: 0 }
  /** The field of the request whose schema is being compiled, for messages. */
  field = ''

  /** @throws invalid_request when more than the limit was spent */
  spend(what: keyof typeof this.spent, amount = 1): void {
    this.spent[what] += amount
    this.check(what, this.spent[what])
  }

  /** @throws invalid_request when a quantity that is not added up exceeds its limit */
  check(what: Quantity, amount: number): void {
    if (amount > limits[what]) throw failure('invalid_request', { field: this.field, problem: problems[what] })
  }
}
