/** JSON Schema to GBNF, the grammars of llama.cpp: what a model writes under such a grammar fits the schema. */

export { defaultLimits } from './budget.js'
export type { GrammarLimits } from './budget.js'
export { GrammarBuilder } from './builder.js'
export type { Grammar, SchemaOptions, UnheldKeyword } from './builder.js'
export { writeText as literal } from './gbnf.js'

/** The schema of any JSON value, and that of any JSON object. */
export const jsonValue = true
export const jsonObject = { type: 'object' } as const
