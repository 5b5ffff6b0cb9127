import { failure } from '@sallyport/core'
import { Budget } from './budget.js'
import { rule } from './expression.js'
import type { Expression } from './expression.js'
import { Patterns } from './patterns/patterns.js'
import { Rules } from './rules.js'
import { Alternatives } from './schema/alternatives.js'
import type { Origin } from './schema/alternative.js'
import { SchemaDocument } from './schema/document.js'
import type { JsonObject } from './schema/document.js'
import { SchemaWriter } from './values/schema-writer.js'

export interface Grammar {
  /** The text for llama.cpp, whose first rule is `root`. */
  readonly gbnf: string
  /** Keywords that the grammar does not hold, and the JSON path of the schema where each is written. */
  readonly unheld: readonly UnheldKeyword[]
}

export interface UnheldKeyword {
  readonly keyword: string
  /** A JSON path, as in `$.properties.name`. */
  readonly path: string
}

export interface SchemaOptions {
  /** The schema's place in the request, which messages name: `tools[0].parameters`. */
  readonly field: string
  /** Refuse what a grammar cannot hold, instead of leaving it out. */
  readonly strict: boolean
}

/** Makes one grammar of schemas and of what stands around them. */
export class GrammarBuilder {
  private readonly budget = new Budget()
  private readonly rules = new Rules(this.budget)
  private readonly patterns = new Patterns((steps) => this.budget.spend('steps', steps))
  private readonly unheld = new Map<string, UnheldKeyword>()

  /**
   * Compiles a JSON Schema (draft 2020-12, draft 7), which has been validated as one, and returns the rule of its values:
   * compact JSON, with at most a space after `:` and `,`, and properties in the declared order.
   * @throws invalid_request where the schema is too large, fits no value or, if strict, cannot be held
   */
  schema(schema: unknown, { field, strict }: SchemaOptions): Expression {
    this.budget.field = field
    const document = new SchemaDocument(schema, field, this.budget)
    const leaveOut = (origins: readonly Origin[]): void => {
      for (const origin of origins) this.leaveOut(origin, field, strict)
    }
    const alternatives = new Alternatives(document, this.patterns, this.budget)
    const writer = new SchemaWriter(this.rules, alternatives, this.budget, leaveOut)
    const written = writer.write(document.root)
    if (this.rules.isProductive(written.name)) return written
    const { path } = writer.impossible(written.name) ?? document.root
    throw document.invalid(path, 'no finite value fits it: loosen what it demands')
  }

  rule(hint: string, body: Expression): Expression {
    return this.rules.add(hint, body)
  }

  /** Makes rules that lead to each other. @param bodies the bodies of the rules, given a function to refer to them */
  ring(hint: string, count: number, bodyOf: (index: number, rules: readonly Expression[]) => Expression): Expression[] {
    const names = Array.from({ length: count }, (_, index) => this.rules.reserve(`${hint}-${index}`))
    const all = names.map((name) => rule(name))
    names.forEach((name, index) => this.rules.set(name, bodyOf(index, all)))
    return all
  }

  /** All rules that the root needs. */
  build(root: Expression): Grammar {
    return { gbnf: this.rules.write(root), unheld: [...this.unheld.values()] }
  }

  private leaveOut({ keyword, node }: Origin, field: string, strict: boolean): void {
    const { path } = node
    if (strict) {
      const problem = `${shown(keyword, node.schema)} at ${path} cannot be held while generating: leave it out or set strict to false`
      throw failure('invalid_request', { field, problem })
    }
    this.unheld.set(`${field} ${path} ${keyword}`, { keyword, path })
  }
}

const maxShown = 60

/** The keyword with its value, where that is a short text: a format, a pattern. */
const shown = (keyword: string, schema: JsonObject | boolean): string => {
  const value = typeof schema === 'object' ? schema[keyword] : undefined
  return typeof value === 'string' && value.length <= maxShown ? `${keyword} ${JSON.stringify(value)}` : keyword
}
