import type { Budget } from '../budget.js'
import type { Expression } from '../expression.js'
import type { Rules } from '../rules.js'
import type { KeywordLocation, SchemaResolver } from '../schema/alternative.js'
import type { SchemaNode } from '../schema/document.js'

/** The part of a schema writer that arrays and objects are written with. */
export interface ValueContext {
  readonly rules: Rules
  readonly resolver: SchemaResolver
  /** The rule of a value that fits all of the schemas. @param parses number of parses of the text before it */
  value(nodes: readonly SchemaNode[], parses?: number): Expression
  /** Notes keywords that are not enforced; under strict it refuses them. */
  reportUnenforced(origins: readonly KeywordLocation[]): void
  readonly budget: Budget
}
