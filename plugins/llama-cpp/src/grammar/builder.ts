import { failure } from '@sallyport/core'
import { Budget } from './budget.js'
import { rule } from './expression.js'
import type { Expression } from './expression.js'
import { Patterns } from './patterns/patterns.js'
import { Rules } from './rules.js'
import { AlternativeResolver } from './schema/resolver.js'
import type { KeywordLocation } from './schema/alternative.js'
import { SchemaDocument } from './schema/document.js'
import type { JsonObject } from './schema/document.js'
import { SchemaWriter } from './values/schema-writer.js'

export interface Grammar {
  /** The text for llama.cpp, whose first rule is `root`. */
  readonly gbnf: string
  /** Keywords that the grammar does not enforce. */
  readonly unenforced: readonly UnenforcedKeyword[]
}

export interface UnenforcedKeyword {
  readonly keyword: string
  /** A JSON path, as in `$.properties.name`. */
  readonly path: string
}

export interface SchemaOptions {
  /** The schema's place in the request, which messages name: `tools[0].parameters`. */
  readonly field: string
  /** Refuse keywords that a grammar cannot enforce, instead of ignoring them. */
  readonly strict: boolean
}

/** Builds one grammar from schemas and the rules around them. */
export class GrammarBuilder {
  private readonly budget = new Budget()
  private readonly rules = new Rules(this.budget)
  private readonly patterns = new Patterns((steps) => this.budget.spend('steps', steps))
  private readonly unenforced = new Map<string, UnenforcedKeyword>()

  /**
   * Compiles a JSON Schema (draft 2020-12, draft 7), which has been validated as one, and returns the rule of its
   * values: compact JSON, with at most a space after `:` and `,`, and properties in the declared order.
   * @throws invalid_request where the schema is too large, fits no value or, if strict, cannot be enforced
   */
  schema(schema: unknown, { field, strict }: SchemaOptions): Expression {
    this.budget.field = field
    const document = new SchemaDocument(schema, field, this.budget)
    const reportUnenforced = (origins: readonly KeywordLocation[]): void => {
      for (const origin of origins) this.reportUnenforced(origin, field, strict)
    }
    const resolver = new AlternativeResolver(document, this.patterns, this.budget)
    const writer = new SchemaWriter(this.rules, resolver, this.budget, reportUnenforced)
    const root = writer.write(document.root)
    if (this.rules.isProductive(root.name)) return root
    const { path } = writer.unsatisfiable(root.name) ?? document.root
    throw document.invalid(path, 'no finite value fits it: loosen what it demands')
  }

  rule(hint: string, body: Expression): Expression {
    return this.rules.add(hint, body)
  }

  /** Adds rules that refer to each other. @param bodyOf returns the body of a rule from its index and all rules */
  recursiveRules(
    hint: string,
    count: number,
    bodyOf: (index: number, rules: readonly Expression[]) => Expression,
  ): Expression[] {
    const names = Array.from({ length: count }, (_, index) => this.rules.reserve(`${hint}-${index}`))
    const all = names.map((name) => rule(name))
    names.forEach((name, index) => this.rules.set(name, bodyOf(index, all)))
    return all
  }

  /** The grammar of the root and of the rules that it needs. */
  build(root: Expression): Grammar {
    return { gbnf: this.rules.write(root), unenforced: [...this.unenforced.values()] }
  }

  private reportUnenforced({ keyword, node }: KeywordLocation, field: string, strict: boolean): void {
    const { path } = node
    if (strict) {
      const problem = `${describeKeyword(keyword, node.schema)} at ${path} cannot be enforced while generating: leave it out or set strict to false`
      throw failure('invalid_request', { field, problem })
    }
    this.unenforced.set(`${field} ${path} ${keyword}`, { keyword, path })
  }
}

const maxValueLength = 60

/** The keyword, with its value where that is a short text, such as a format or a pattern. */
const describeKeyword = (keyword: string, schema: JsonObject | boolean): string => {
  const value = typeof schema === 'object' ? schema[keyword] : undefined
  return typeof value === 'string' && value.length <= maxValueLength ? `${keyword} ${JSON.stringify(value)}` : keyword
}
