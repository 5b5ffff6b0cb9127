/** Plain data: what YAML, JSON and object literals are made of. */

export type Path = readonly (string | number)[]

/** A map of plain data, not an instance of a class. */
export const isRecord = (value: unknown): value is Record<string, unknown> => {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** Keys that reach an object's prototype in careless code. */
export const isForbiddenKey = (key: string | number): boolean => key === '__proto__'

/** Copies maps and lists; anything else (a URL, a function) stays the same object. What is undefined is left out. */
export const copyData = <Value>(value: Value): Value => copy(value, new Set()) as Value

const copy = (value: unknown, parents: ReadonlySet<unknown>): unknown => {
  if (!isList(value) && !isRecord(value)) return value
  if (parents.has(value)) throw new TypeError('a value contains itself')
  const inside = new Set(parents).add(value)
  if (isList(value)) return value.map((item) => copy(item, inside))
  const result: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) {
    if (isForbiddenKey(key)) throw new TypeError(`the key "${key}" is not allowed`)
    if (item !== undefined) result[key] = copy(item, inside)
  }
  return result
}

/** Freezes maps and lists to the bottom. */
export const deepFreeze = <Value>(value: Value): Value => {
  if (!isList(value) && !isRecord(value)) return value
  for (const item of Object.values(value)) deepFreeze(item)
  return Object.freeze(value)
}

/** The record without a prototype, so that a look-up by a caller's string finds only what was put in. */
export const dictionary = <Value>(record: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.assign(Object.create(null) as Record<string, Value>, record)

/** The path of a validator's JSON pointer in a value; positions in lists become numbers. */
export const pathOfPointer = (pointer: string, root: unknown): Path => {
  let value = root
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => {
      const key = segment.replaceAll('~1', '/').replaceAll('~0', '~')
      const inList = isList(value)
      value = inList || isRecord(value) ? (value as Record<string, unknown>)[key] : undefined
      return inList ? Number(key) : key
    })
}

const maxShownKey = 64

/** The path as a user would write it: `models["qwen2.5"].options.parallel`. Long keys are cut. */
export const showPath = (path: Path): string =>
  path.reduce<string>((shown, key) => {
    if (typeof key === 'number') return `${shown}[${key}]`
    const short = key.length > maxShownKey ? `${key.slice(0, maxShownKey)}…` : key
    if (!/^[\w$-]+$/.test(short)) return `${shown}[${JSON.stringify(short)}]`
    return shown ? `${shown}.${short}` : short
  }, '')
