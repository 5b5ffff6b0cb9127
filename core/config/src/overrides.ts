/** Single values that replace what the configuration says: `--set server.port=1`. */

import { parseDocument } from 'yaml'
import { failure } from '@sallyport/core'
import { isForbiddenKey, isRecord, showPath } from '@sallyport/kit/json'
import type { Path } from '@sallyport/kit/json'
import { configError } from '@sallyport/kit/schemas'
import type { Problem } from '@sallyport/kit/schemas'
import type { Places } from './places.js'

export interface ConfigOverride {
  /** `server.port`, `plugins[0].options`, `models["qwen2.5"].options.parallel`, or the keys as a list. */
  readonly path: string | Path
  /** A string is read as YAML (`8080` is a number); anything else is taken as it is. */
  readonly value: unknown
  /** What the user wrote, for messages. Default: `--set <path>`. */
  readonly label?: string
}

const overrideError = (text: string, problem: string) => failure('config_invalid', { where: `--set ${text}`, problem })

/** Reads `path=value`. @throws config_invalid */
export const parseOverride = (text: string): ConfigOverride => {
  const [path, value] = splitOutsideQuotes(text)
  if (value === undefined) throw overrideError(text, 'write it as path=value, such as server.port=8080')
  return { path: parsePath(path), value, label: `--set ${path}` }
}

const splitOutsideQuotes = (text: string): readonly [path: string, value: string | undefined] => {
  const path = /^(?:"(?:[^"\\]|\\.)*"|[^"=])*/.exec(text)?.[0] ?? ''
  return text[path.length] === '=' ? [path, text.slice(path.length + 1)] : [text, undefined]
}

const pathStep = /\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|(?:^|\.)(?:("(?:[^"\\]|\\.)*")|([^."[\]=]+))/y

/** Reads what {@link showPath} writes; `models."qwen2.5"` too. */
const parsePath = (text: string): Path => {
  const path: (string | number)[] = []
  pathStep.lastIndex = 0
  while (pathStep.lastIndex < text.length) {
    const step = pathStep.exec(text)
    if (!step) throw overrideError(text, 'write the path as server.port, or models["name.with.dots"].options')
    const [, index, bracketed, quoted, plain] = step
    path.push(index === undefined ? (plain ?? String(JSON.parse(bracketed ?? quoted ?? '""'))) : Number(index))
  }
  return path
}

type Container = Record<string | number, unknown>
type Mistake = Omit<Problem, 'path'>

/** Sets the values in place, and creates maps that are missing on their paths. @throws config_invalid */
export const applyOverrides = (
  target: Record<string, unknown>,
  overrides: readonly ConfigOverride[],
  places: Places,
): void => {
  for (const { path: given, value, label } of overrides) {
    const path = typeof given === 'string' ? parsePath(given) : given
    const origin = label ?? `--set ${showPath(path)}`
    if (!path.length) throw overrideError('', 'name what to set, such as server.port=8080')
    path.reduce<Container>((container, key, depth) => {
      const here = path.slice(0, depth + 1)
      const isLast = here.length === path.length
      const known = Object.hasOwn(container, key) ? container[key] : undefined
      const problem = positionProblem(container, key, isLast ? undefined : known)
      if (problem) throw configError([{ path: here, ...problem }], () => origin)
      if (!isLast && isContainer(known)) return known
      const made: unknown = isLast ? readValue(value) : {}
      container[key] = made
      places.replace(here, origin)
      return made as Container
    }, target)
  }
}

const readValue = (value: unknown): unknown => {
  if (typeof value !== 'string' || value === '') return value
  const document = parseDocument(value, { stringKeys: true, logLevel: 'silent' })
  return document.errors.length || document.warnings.length ? value : (document.toJS({ maxAliasCount: 0 }) as unknown)
}

const isContainer = (value: unknown): value is Container => isRecord(value) || Array.isArray(value)

/** @param inside the value at the key, where the path continues below it */
const positionProblem = (container: Container, key: string | number, inside: unknown): Mistake | undefined => {
  if (isForbiddenKey(key)) return { part: 'key', problem: 'this key is not allowed' }
  if (inside !== undefined && inside !== null && !isContainer(inside))
    return { problem: 'holds a single value: nothing can be set inside it' }
  if (!Array.isArray(container)) return undefined
  const isPosition = /^(0|[1-9]\d*)$/.test(String(key)) && Number(key) <= container.length
  const problem = `the list has ${container.length} items: use a position up to ${container.length}`
  return isPosition ? undefined : { problem }
}
