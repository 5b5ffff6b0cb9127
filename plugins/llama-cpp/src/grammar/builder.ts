import { failure } from '@sallyport/core'
import { Budget, defaultLimits } from './budget.js'
import type { GrammarLimits } from './budget.js'
import { Rules } from './rules.js'
import { invalid } from './schema/check.js'
import { SchemaDocument } from './schema/document.js'
import { pathOf } from './schema/node.js'
import type { SchemaNode } from './schema/node.js'
import { Expander } from './schema/expander.js'
import { EndlessReference } from './schema/node-expander.js'
import { Patterns } from './schema/patterns.js'
import { isObject } from './schema/keywords.js'
import type { Origin } from './schema/variant.js'
import { SchemaWriter } from './write/schema-writer.js'

export interface Grammar {
  /** For llama.cpp; its first rule is `root`. */
  readonly gbnf: string
  /** Keywords that the grammar does not hold, and the JSON path of the schema where each is written. */
  readonly unheld: readonly UnheldKeyword[]
}

export interface UnheldKeyword {
  readonly keyword: string
  /** As in `$.properties.name`. */
  readonly path: string
}

export interface SchemaOptions {
  /** Where the schema stands in the request, for messages: `tools[0].parameters`. */
  readonly field: string
  /** Refuse what a grammar cannot hold, instead of leaving it out. */
  readonly strict: boolean
}

/** Rules that several schemas share, and what stands around them; makes one grammar. */
export class GrammarBuilder {
  private readonly budget: Budget
  private readonly rules: Rules
  private readonly patterns: Patterns
  private readonly unheld = new Map<string, UnheldKeyword>()

  constructor(limits: GrammarLimits = defaultLimits) {
    this.budget = new Budget(limits)
    this.rules = new Rules(this.budget)
    this.patterns = new Patterns(this.budget)
  }

  /**
   * Compiles a JSON Schema (draft 2020-12, draft 7) and returns the name of the rule for its values: compact JSON, with
   * at most a space after `:` and `,`, properties in the declared order or, where they are few, in any.
   * @throws invalid_request where the schema is wrong, too large, fits no value or, if strict, cannot be held
   */
  schema(schema: unknown, { field, strict }: SchemaOptions): string {
    this.budget.field = field
    const document = new SchemaDocument(schema, field, this.budget)
    const leaveOut = (origins: readonly Origin[]): void => {
      for (const origin of origins) this.leaveOut(origin, field, strict)
    }
    const expander = new Expander(document, this.patterns, this.budget)
    const writer = new SchemaWriter(this.rules, expander, this.budget, leaveOut)
    const name = explainEndless(field, () => writer.write(expander.conjunction([document.root])))
    if (this.rules.isProductive(name)) return name
    const place = writer.impossible(name) ?? document.root
    throw invalid(field, pathOf(place), 'no finite value fits it: loosen what it demands')
  }

  /** Adds a rule of GBNF text that may name other rules; returns its unique name. */
  rule(hint: string, body: string): string {
    return this.rules.add(hint, { kind: 'source', source: body })
  }

  /** A name for a rule that others lead to before it is there: {@link define} writes it. */
  reserve(hint: string): string {
    return this.rules.reserve(hint)
  }

  define(name: string, body: string): void {
    this.rules.set(name, { kind: 'source', source: body })
  }

  /** All rules that the root needs; `root` is the body of the rule `root`. */
  build(root: string): Grammar {
    return { gbnf: this.rules.write(root), unheld: [...this.unheld.values()] }
  }

  private leaveOut({ keyword, node }: Origin, field: string, strict: boolean): void {
    const path = pathOf(node)
    if (strict) {
      const problem = `${shown(keyword, node)} at ${path} cannot be held while generating: leave it out or set strict to false`
      throw failure('invalid_request', { field, problem })
    }
    this.unheld.set(`${field} ${path} ${keyword}`, { keyword, path })
  }
}

const longestShown = 60

/** With its value, where that is a short text: a format, a pattern. */
const shown = (keyword: string, { schema }: SchemaNode): string => {
  const value = isObject(schema) ? schema[keyword] : undefined
  return typeof value === 'string' && value.length <= longestShown ? `${keyword} ${JSON.stringify(value)}` : keyword
}

const explainEndless = <Result>(field: string, compile: () => Result): Result => {
  try {
    return compile()
  } catch (error) {
    if (!(error instanceof EndlessReference)) throw error
    throw invalid(field, pathOf(error.node), 'leads only to itself by $ref: say what the value is')
  }
}
