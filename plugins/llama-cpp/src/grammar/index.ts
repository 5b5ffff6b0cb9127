/** JSON Schema to GBNF, the grammars of llama.cpp: what a model writes under such a grammar fits the schema. */

export { GrammarBuilder } from './builder.js'
export type { Grammar } from './builder.js'
export { characters, choice, empty, optional, repeat, rule, sequence, text } from './expression.js'
export type { Expression, Range } from './expression.js'
export { codePointsOf, complement } from './patterns/code-points.js'
export { prefixTree } from './prefix-tree.js'
