import { Composer, LineCounter, Parser } from 'yaml'
import type { CST, ErrorCode, YAMLError } from 'yaml'
import { failure } from '@sallyport/core'
import type { SallyportError } from '@sallyport/core'
import { isRecord } from '@sallyport/kit/json'
import { configError } from '@sallyport/kit/schemas'
import type { Environment } from '@sallyport/kit/installation'
import { Places } from './places.js'
import { maxDepth, YamlReader } from './yaml-reader.js'

export interface Source {
  readonly value: Readonly<Record<string, unknown>>
  readonly places: Places
}

/** Reads the text of a configuration: YAML, or JSON, which is YAML too. @throws config_invalid */
export const readYaml = (text: string, name: string, environment: Environment): Source => {
  const { document, placeOf } = compose(text, name)
  const places = new Places()
  const start = placeOf(document.contents?.range[0] ?? 0)
  places.set([], { key: start, value: start })
  const reader = new YamlReader(environment, places, placeOf)
  const value = reader.read(document.contents, [])
  if (reader.problems.length) throw configError(reader.problems, places.where)
  if (value === null) throw failure('config_invalid', { where: name, problem: 'is empty' })
  if (!isRecord(value))
    throw failure('config_invalid', { where: placeOf(0), problem: 'must be a map: lines of "key: value"' })
  return { value, places }
}

const compose = (text: string, name: string) => {
  const lines = new LineCounter()
  const placeOf = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return `${name}:${line}:${col}`
  }
  const tokens = [...new Parser(lines.addNewLine).parse(text)]
  if (depthOf(tokens) > maxDepth)
    throw failure('config_invalid', { where: name, problem: `is nested deeper than ${maxDepth} levels` })
  const composer = new Composer({ stringKeys: true, uniqueKeys: false, prettyErrors: false, logLevel: 'silent' })
  const [document, second] = composer.compose(tokens, true, text.length)
  if (second) throw failure('config_invalid', { where: placeOf(second.range[0]), problem: 'a second document begins' })
  if (!document) throw failure('config_invalid', { where: name, problem: 'is empty' })
  const [mistake] = [...document.errors, ...document.warnings]
  if (mistake) throw syntaxError(mistake, text, placeOf(mistake.pos[0]))
  return { document, placeOf }
}

/** Replacements for messages of the YAML library that use its internal terms. */
const plainMessages: Partial<Record<ErrorCode, string>> = {
  BLOCK_AS_IMPLICIT_KEY: 'one key after another; a value with ": " in it must be quoted',
  NON_STRING_KEY: 'a key must be a text',
}

const syntaxError = ({ code, message, pos }: YAMLError, text: string, where: string): SallyportError => {
  const line = text.slice(text.lastIndexOf('\n', pos[0] - 1) + 1).split('\n', 1)[0] ?? ''
  const hint = /[{[](.*[^"'])?\$\{/.test(line)
    ? '; inside { } and [ ] a ${…} must be quoted, or the map written on lines of its own'
    : ''
  return failure('config_invalid', { where, problem: `not valid YAML: ${plainMessages[code] ?? message}${hint}` })
}

/** How deep the syntax tree is nested. It does not recurse, for the tree may be deeper than the stack. */
const depthOf = (tokens: readonly CST.Token[]): number => {
  const waiting: (readonly [token: CST.Token, depth: number])[] = tokens.map((token) => [token, 0])
  let deepest = 0
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [token, depth] = next
    deepest = Math.max(deepest, depth)
    for (const child of childrenOf(token)) waiting.push([child, depth + 1])
  }
  return deepest
}

const childrenOf = (token: CST.Token): readonly CST.Token[] => {
  if (token.type === 'document') return token.value ? [token.value] : []
  if (!('items' in token)) return []
  return token.items.flatMap(({ key, value }) => [key, value]).filter((child) => child !== null && child !== undefined)
}
