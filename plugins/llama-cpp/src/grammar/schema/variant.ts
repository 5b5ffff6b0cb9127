import type { SchemaNode } from './node.js'

/** A keyword, where it is written. */
export interface Origin {
  readonly keyword: string
  readonly node: SchemaNode
}

/** Values of one type. A schema is the union of some of these: that is its normal form. */
export type Variant = NullVariant | BooleanVariant | NumberVariant | StringVariant | ArrayVariant | ObjectVariant

interface Common {
  /** Keywords that it leaves out: what it describes is more than the schema allows. */
  readonly unheld: readonly Origin[]
}

export interface NullVariant extends Common {
  readonly type: 'null'
}

export interface BooleanVariant extends Common {
  readonly type: 'boolean'
  readonly value: boolean
}

export interface Bound {
  readonly value: number
  readonly exclusive: boolean
}

/** A whole number that divides. */
export interface Multiple {
  readonly value: number
  readonly origin: Origin
}

export interface NumberVariant extends Common {
  readonly type: 'number'
  readonly integer: boolean
  readonly least: Bound
  readonly most: Bound
  readonly multiples: readonly Multiple[]
  /** Only these, which satisfy the rest. */
  readonly values?: readonly number[]
}

export interface StringVariant extends Common {
  readonly type: 'string'
  readonly minLength: number
  /** Code points. */
  readonly maxLength: number
  readonly patterns: readonly Pattern[]
  /** Only these, which satisfy the rest. */
  readonly values?: readonly string[]
}

/** A regular expression that an automaton exists for. */
export interface Pattern {
  readonly source: string
  readonly origin: Origin
}

/** What one schema says of the items of an array. */
export interface ArrayLayer {
  readonly id: string
  readonly prefix: readonly SchemaNode[]
  readonly rest: SchemaNode
}

export interface ArrayVariant extends Common {
  readonly type: 'array'
  readonly layers: readonly ArrayLayer[]
  readonly least: number
  readonly most: number
}

/** What one schema says of the properties of an object. */
export interface ObjectLayer {
  readonly id: string
  readonly properties: ReadonlyMap<string, SchemaNode>
  readonly patterns: readonly { readonly source: string; readonly value: SchemaNode }[]
  /** Of keys that neither are properties nor fit patterns. */
  readonly additional: SchemaNode
  /** It has properties, and says nothing of other keys: they are not meant, though allowed. */
  readonly declares: boolean
  /** It says what other keys may hold: they are meant. */
  readonly opens: boolean
}

/** A number of properties. */
export interface Count {
  readonly value: number
  readonly origin: Origin | undefined
}

export interface ObjectVariant extends Common {
  readonly type: 'object'
  readonly layers: readonly ObjectLayer[]
  readonly required: ReadonlySet<string>
  readonly names: readonly SchemaNode[]
  readonly least: Count
  readonly most: Count
}

export const unbounded = { least: { value: -Infinity, exclusive: false }, most: { value: Infinity, exclusive: false } }
export const noCount = { least: { value: 0, origin: undefined }, most: { value: Infinity, origin: undefined } }

const keys = new WeakMap<Variant, string>()

/** Equal for variants that describe the same values in the same way. */
export const keyOf = (variant: Variant): string => {
  const known = keys.get(variant)
  if (known !== undefined) return known
  const unheld = variant.unheld.map(({ keyword, node }) => `${keyword}@${node.id}`)
  const key = `${variant.type}:${ownKey(variant)}${unheld.length ? `!${unheld.join()}` : ''}`
  keys.set(variant, key)
  return key
}

const ownKey = (variant: Variant): string => {
  switch (variant.type) {
    case 'null':
      return ''
    case 'boolean':
      return String(variant.value)
    case 'number':
      return variant.values ? variant.values.join() : numberKey(variant)
    case 'string':
      return variant.values ? JSON.stringify(variant.values) : stringKey(variant)
    case 'array':
      return `${variant.least}-${variant.most}[${variant.layers.map(({ id }) => id).join()}]`
    case 'object':
      return objectKey(variant)
  }
}

const numberKey = ({ integer, least, most, multiples }: NumberVariant): string =>
  `${integer ? 'i' : 'n'}${least.exclusive ? '(' : '['}${least.value},${most.value}${most.exclusive ? ')' : ']'}%${multiples.map(({ value }) => value).join()}`

const stringKey = ({ minLength, maxLength, patterns }: StringVariant): string =>
  `${minLength}-${maxLength}${patterns.map(({ source }) => JSON.stringify(source)).join()}`

const objectKey = ({ layers, required, names, least, most }: ObjectVariant): string =>
  [
    layers.map(({ id }) => id).join(),
    JSON.stringify([...required].sort()),
    names.map(({ id }) => id).join(),
    `${least.value}-${most.value}`,
  ].join('|')

/** Whether it is all values of its type. */
export const isFree = (variant: Variant): boolean => {
  if (variant.unheld.length > 0) return false
  switch (variant.type) {
    case 'null':
      return true
    case 'boolean':
      return false
    case 'number':
      return !variant.values && !variant.integer && !isBounded(variant) && variant.multiples.length === 0
    case 'string':
      return (
        !variant.values && variant.minLength === 0 && variant.maxLength === Infinity && variant.patterns.length === 0
      )
    case 'array':
      return variant.layers.length === 0 && variant.least === 0 && variant.most === Infinity
    case 'object':
      return (
        variant.required.size === 0 &&
        variant.names.length === 0 &&
        variant.least.value === 0 &&
        variant.most.value === Infinity &&
        !variant.layers.some(saysSomething)
      )
  }
}

const isBounded = ({ least, most }: NumberVariant): boolean => least.value !== -Infinity || most.value !== Infinity

const saysSomething = ({ properties, declares, patterns, additional }: ObjectLayer): boolean =>
  declares || properties.size > 0 || patterns.length > 0 || additional.schema !== true
