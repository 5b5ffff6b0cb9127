/** Single values that replace what the configuration says: `--set server.port=1`. */

import { parseDocument } from 'yaml'
import { failure } from '@sallyport/core'
import { isForbiddenKey, isRecord, showPath } from '@sallyport/kit/json'
import type { Path } from '@sallyport/kit/json'
import { configError } from '@sallyport/kit/schemas'
import type { Places } from './places.js'

export interface ConfigOverride {
  /** `server.port`, `plugins[0].options`, `models["qwen2.5"].options.parallel`, or the keys as a list. */
  readonly path: string | Path
  /** A text is read as YAML (`8080` is a number); anything else is taken as it is. */
  readonly value: unknown
  /** What the user wrote, for messages. Default: `--set <path>`. */
  readonly label?: string
}

const wrongOverride = (given: string, problem: string) =>
  failure('config_invalid', { where: `--set ${given}`, problem })

/** Reads `path=value`. @throws config_invalid */
export const parseOverride = (text: string): ConfigOverride => {
  const [path, value] = splitOutsideQuotes(text)
  if (value === undefined) throw wrongOverride(text, 'write it as path=value, such as server.port=8080')
  return { path: parsePath(path), value, label: `--set ${path}` }
}

const splitOutsideQuotes = (text: string): readonly [path: string, value: string | undefined] => {
  const path = /^(?:"(?:[^"\\]|\\.)*"|[^"=])*/.exec(text)?.[0] ?? ''
  return text[path.length] === '=' ? [path, text.slice(path.length + 1)] : [text, undefined]
}

const pathStep = /\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|(?:^|\.)(?:("(?:[^"\\]|\\.)*")|([^."[\]=]+))/y

/** Reads what {@link showPath} writes; `models."qwen2.5"` too. */
export const parsePath = (text: string): Path => {
  const path: (string | number)[] = []
  pathStep.lastIndex = 0
  while (pathStep.lastIndex < text.length) {
    const step = pathStep.exec(text)
    if (!step) throw wrongOverride(text, 'write the path as server.port, or models["name.with.dots"].options')
    const [, index, bracketed, quoted, plain] = step
    path.push(index === undefined ? (plain ?? String(JSON.parse(bracketed ?? quoted ?? '""'))) : Number(index))
  }
  return path
}

/** Puts the values in; maps on the way are made. @throws config_invalid */
export const applyOverrides = (
  target: Record<string, unknown>,
  overrides: readonly ConfigOverride[],
  places: Places,
): void => {
  for (const { path: given, value, label } of overrides) {
    const path = typeof given === 'string' ? parsePath(given) : given
    const shown = label ?? `--set ${showPath(path)}`
    const last = path.at(-1)
    if (last === undefined) throw wrongOverride('', 'name what to set, such as server.port=8080')
    put(descend(target, path.slice(0, -1), shown, places), last, readValue(value), { path, shown })
    places.replace(path, shown)
  }
}

const readValue = (value: unknown): unknown => {
  if (typeof value !== 'string' || value === '') return value
  const document = parseDocument(value, { stringKeys: true, logLevel: 'silent' })
  return document.errors.length || document.warnings.length ? value : (document.toJS({ maxAliasCount: 0 }) as unknown)
}

interface Target {
  readonly path: Path
  readonly shown: string
}

type Container = Record<string, unknown> | unknown[]

const isContainer = (value: unknown): value is Container => isRecord(value) || Array.isArray(value)

const descend = (root: Container, path: Path, shown: string, places: Places): Container =>
  path.reduce<Container>((parent, key, depth) => {
    const here = { path: path.slice(0, depth + 1), shown }
    const child = get(parent, key, here)
    if (isContainer(child)) return child
    if (child !== undefined && child !== null)
      throw configError(
        [{ path: here.path, problem: 'holds a single value: nothing can be set inside it' }],
        () => shown,
      )
    const made = {}
    put(parent, key, made, here)
    places.replace(here.path, shown)
    return made
  }, root)

const get = (container: Container, key: string | number, { path, shown }: Target): unknown => {
  if (isForbiddenKey(key)) throw configError([{ path, part: 'key', problem: 'this key is not allowed' }], () => shown)
  return Object.hasOwn(container, key) ? (container as Record<string | number, unknown>)[key] : undefined
}

const put = (container: Container, key: string | number, value: unknown, target: Target): void => {
  get(container, key, target)
  if (Array.isArray(container)) putItem(container, Number(key), value, target)
  else container[key] = value
}

const putItem = (list: unknown[], index: number, value: unknown, { path, shown }: Target): void => {
  if (!Number.isInteger(index) || index < 0 || index > list.length)
    throw configError(
      [{ path, problem: `the list has ${list.length} items: use a position up to ${list.length}` }],
      () => shown,
    )
  list[index] = value
}
