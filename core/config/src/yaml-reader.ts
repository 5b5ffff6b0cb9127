import { append } from '@sallyport/kit/lists'
import { Scalar, isAlias, isMap, isScalar, isSeq } from 'yaml'
import type { Alias, Node, Pair, YAMLMap } from 'yaml'
import { failure } from '@sallyport/core'
import type { SallyportError } from '@sallyport/core'
import { isForbiddenKey, isRecord } from '@sallyport/kit/json'
import type { Path } from '@sallyport/kit/json'
import { configError } from '@sallyport/kit/schemas'
import type { Problem } from '@sallyport/kit/schemas'
import { mayHoldReference, readPlainScalar, substitute } from './environment.js'
import type { Environment } from '@sallyport/kit/installation'
import type { Places } from './places.js'

/** No real configuration is nearly as large, but aliases of aliases get there with a few lines. */
const maxValues = 20_000
/** This bound also ends aliases that refer to themselves. */
export const maxDepth = 64

/** Turns a YAML tree into plain data, and remembers where each part of it is written. */
export class YamlReader {
  readonly problems: Problem[] = []
  private readonly anchors = new Map<string, Node>()
  private values = 0
  private outermostAlias: string | undefined
  private merging = 0

  constructor(
    private readonly environment: Environment,
    private readonly places: Places,
    private readonly placeOf: (offset: number) => string,
  ) {}

  read(node: unknown, path: Path): unknown {
    if (++this.values > maxValues || path.length > maxDepth) throw this.tooLarge()
    if (isAlias(node)) return this.readAlias(node, path)
    if (hasAnchor(node)) this.anchors.set(node.anchor, node)
    if (isMap(node)) return this.readMap(node, path)
    if (isSeq(node)) return node.items.map((item, index) => this.readItem(item, [...path, index]))
    return isScalar(node) ? this.readScalar(node, path) : null
  }

  private tooLarge(): SallyportError {
    const problem =
      this.outermostAlias === undefined
        ? `holds more than ${maxValues} values`
        : 'holds too much: aliases of aliases multiply, and none may stand inside what it stands for'
    return failure('config_invalid', { where: this.outermostAlias ?? this.placeOf(0), problem })
  }

  private readAlias({ source, range }: Alias, path: Path): unknown {
    const node = this.anchors.get(source)
    if (!node) {
      this.problems.push({ path, problem: `*${source} stands for nothing: there is no &${source} before it` })
      return null
    }
    const outermost = this.outermostAlias === undefined
    this.outermostAlias ??= this.placeOf(range?.[0] ?? 0)
    const value = this.read(node, path)
    if (outermost) this.outermostAlias = undefined
    return value
  }

  private readItem(item: unknown, path: Path): unknown {
    this.mark(path, item, item)
    return this.read(item, path)
  }

  private readMap(map: YAMLMap, path: Path): Record<string, unknown> {
    const result: Record<string, unknown> = {}
    const merged: Record<string, unknown>[] = []
    for (const pair of map.items) {
      const key = keyOf(pair)
      const inside = [...path, key]
      if (key === '<<') append(merged, this.readMerge(pair, inside))
      else if (this.accept(pair, key, inside, result)) result[key] = this.read(pair.value, inside)
    }
    return Object.assign({}, ...merged.reverse(), result) as Record<string, unknown>
  }

  private accept(pair: Pair, key: string, path: Path, known: object): boolean {
    const twice = Object.hasOwn(known, key)
    if (!twice && !isForbiddenKey(key)) {
      this.mark(path, pair.key, pair.value)
      return true
    }
    const problem = twice ? 'is given twice: remove one' : 'this key is not allowed'
    // The places have the first of two equal keys, but the second one is the mistake.
    throw configError([{ path, problem }], () => this.placeOf(startOf(pair.key) ?? 0))
  }

  /** Reads `<<: *base` or `<<: [*base, *other]`; the map's own keys win, and earlier maps over later ones. */
  private readMerge(pair: Pair, path: Path): Record<string, unknown>[] {
    this.mark(path, pair.key, pair.value)
    this.merging++
    const value = this.read(pair.value, path.slice(0, -1))
    this.merging--
    const maps = Array.isArray(value) ? (value as unknown[]) : [value]
    if (maps.every(isRecord)) return maps
    this.problems.push({ path, problem: '<< takes in maps only: write << : *name of a map' })
    return []
  }

  private readScalar(scalar: Scalar, path: Path): unknown {
    const { value } = scalar
    if (typeof value !== 'string' || !mayHoldReference(value)) return value
    const { text, substituted, problems } = substitute(value, this.environment)
    for (const problem of problems) this.problems.push({ path, problem })
    return substituted && scalar.type === Scalar.PLAIN && !scalar.tag ? readPlainScalar(text) : text
  }

  private mark(path: Path, key: unknown, value: unknown): void {
    const start = startOf(key) ?? startOf(value) ?? 0
    const keyPlace = this.placeOf(start)
    // The map's own keys win over merged ones, before and after them.
    if (this.merging && this.places.has(path)) return
    const valueStart = isScalar(value) && !isEmpty(value) ? startOf(value) : undefined
    this.places.set(path, { key: keyPlace, value: valueStart === undefined ? keyPlace : this.placeOf(valueStart) })
  }
}

const keyOf = ({ key }: Pair): string => (isScalar(key) ? String(key.value) : String(key))

const isEmpty = (scalar: Scalar) => scalar.value === null && scalar.source === ''

const hasAnchor = (node: unknown): node is Node & { anchor: string } =>
  (isMap(node) || isSeq(node) || isScalar(node)) && typeof node.anchor === 'string'

const startOf = (node: unknown): number | undefined =>
  isMap(node) || isSeq(node) || isScalar(node) || isAlias(node) ? node.range?.[0] : undefined
