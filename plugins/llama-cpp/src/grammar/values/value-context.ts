import type { Budget } from '../budget.js'
import type { Expression } from '../expression.js'
import type { Rules } from '../rules.js'
import type { Origin, SchemaResolver } from '../schema/alternative.js'
import type { SchemaNode } from '../schema/document.js'

/** What the writers of arrays and objects need. */
export interface ValueContext {
  readonly rules: Rules
  readonly alternatives: SchemaResolver
  /** The rule of a value that fits all of the schemas. @param readings in how many ways what precedes it can be read */
  value(nodes: readonly SchemaNode[], readings?: number): Expression
  /** Notes keywords that are not held, or refuses them. */
  leaveOut(origins: readonly Origin[]): void
  readonly budget: Budget
}
