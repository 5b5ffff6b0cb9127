import { RegExpParser } from '@eslint-community/regexpp'
import type { AST } from '@eslint-community/regexpp'

const parser = new RegExpParser({ ecmaVersion: 2024 })

/** @throws SyntaxError for what is invalid with the flag `u` */
export const parse = ({ source }: RegExp): AST.Pattern =>
  parser.parsePattern(source, undefined, undefined, { unicode: true })
