/**
 * The shapes of requests and results, as data. Every capability declares them for each of its methods, and the types
 * below compare the declaration with the interface: a field that is not declared does not compile. The safeguard chain
 * uses them to find text, and the kernel to refuse values of another shape.
 */

import type { AnyFields, Leaf, OpaqueLeaf, TextLeaf } from './fields.js'

/** Bytes, which are not checked, for the given reason. */
export interface BytesShape {
  readonly $bytes: string
}

/** A value of unknown type: any JSON. The leaf applies to all its strings, numbers and keys. */
export interface JsonShape {
  readonly $json: Leaf
}

/** A string that is one of these words. */
export interface OneOfShape<Word extends string = string> {
  readonly $oneOf: { readonly [Each in Word]: true }
}

export interface ListShape<Item = AnyShape> {
  readonly $list: Item
}

/** A string, or a structure. */
export interface EitherShape<Text = AnyShape, Structure = AnyShape> {
  readonly $either: readonly [Text, Structure]
}

export const bytes = (reason: string): BytesShape => ({ $bytes: reason })
export const json = (leaf: Leaf): JsonShape => ({ $json: leaf })
export const list = <const Item>(item: Item): ListShape<Item> => ({ $list: item })
export const either = <const Text, const Structure>(
  text: Text,
  structure: Structure,
): EitherShape<Text, Structure> => ({
  $either: [text, structure],
})
export const oneOf = <const Word extends string>(...words: readonly Word[]): OneOfShape<Word> => ({
  $oneOf: Object.fromEntries(words.map((word) => [word, true])) as { [Each in Word]: true },
})

type Primitive = string | number | bigint | boolean | symbol | null | undefined
type Text<T> = Extract<T, string>
type Structure<T> = Exclude<T, Primitive>

/**
 * The declaration of a type: a leaf for a free string; `number`, `boolean`, `floats` (a Float32Array); {@link oneOf},
 * {@link list}, {@link bytes}, {@link json} and {@link either}; or an object with a declaration per key, with a
 * question mark after keys that may be absent: `{ 'stop?': list('text') }`. Records have the key `*`. For a union of
 * structures, the keys of all members are declared together.
 */
export type Shape<T> = unknown extends T
  ? JsonShape
  : [Text<T>] extends [never]
    ? [Structure<T>] extends [never]
      ? ScalarShape<NonNullable<T>>
      : StructureShape<Structure<T>>
    : [Structure<T>] extends [never]
      ? TextShape<Text<T>>
      : EitherShape<TextShape<Text<T>>, StructureShape<Structure<T>>>

type ScalarShape<T> = [T] extends [number] ? 'number' : [T] extends [boolean] ? 'boolean' : never
type TextShape<T extends string> = string extends T ? TextLeaf | OpaqueLeaf : OneOfShape<T>
type StructureShape<T> = [T] extends [Uint8Array]
  ? BytesShape
  : [T] extends [Float32Array]
    ? 'floats'
    : [T] extends [readonly (infer Item)[]]
      ? ListShape<Shape<Item>>
      : string extends KeysOf<T>
        ? { readonly '*': Shape<ValueOf<T, string>> }
        : number extends KeysOf<T>
          ? { readonly '*': Shape<ValueOf<T, number>> }
          : ObjectShape<T>

type ObjectShape<T> = {
  readonly [
    Key in KeysOf<T> & string as [NonNullable<ValueOf<T, Key>>] extends [never]
      ? never
      : IsInAll<T, Key> extends true
        ? Key
        : `${Key}?`
  ]: Shape<Present<ValueOf<T, Key>>>
}

/** The keys of all members of a union. */
type KeysOf<T> = T extends unknown ? keyof T : never
type ValueOf<T, Key> = T extends unknown ? (Key extends keyof T ? T[Key] : never) : never
/** NonNullable turns `unknown` into `{}`. */
type Present<T> = unknown extends T ? T : NonNullable<T>

/** Whether every member of a union has the key. */
type IsInAll<T, Key> = false extends (T extends unknown ? IsRequired<T, Key> : never) ? false : true
type IsRequired<T, Key> = Key extends keyof T ? (Record<never, never> extends Pick<T, Key> ? false : true) : false

/** Any declaration, for code that does not know its type. */
export type AnyShape =
  | TextLeaf
  | 'number'
  | 'boolean'
  | 'floats'
  | OpaqueLeaf
  | BytesShape
  | JsonShape
  | OneOfShape
  | ListShape
  | EitherShape
  | { readonly [key: string]: AnyShape }

/** The leaves of the shape, text or opaque; undefined where it has neither. */
const textFieldsIn = (shape: AnyShape): AnyFields | undefined => {
  if (typeof shape === 'string') return isTextLeaf(shape) ? shape : undefined
  if ('opaque' in shape) return shape as OpaqueLeaf
  if ('$bytes' in shape) return { opaque: (shape as BytesShape).$bytes }
  if ('$json' in shape) return (shape as JsonShape).$json
  if ('$oneOf' in shape) return undefined
  if ('$list' in shape) return textFieldsIn((shape as ListShape).$list)
  if ('$either' in shape) return textFieldsInEither(shape as EitherShape)
  const fields = Object.entries(shape as Record<string, AnyShape>).flatMap(([key, inner]): [string, AnyFields][] => {
    const inside = textFieldsIn(inner)
    return inside === undefined ? [] : [[nameOfMember(key), inside]]
  })
  return fields.length ? Object.fromEntries(fields) : undefined
}

const textFieldsInEither = ({ $either: [text, structure] }: EitherShape): AnyFields | undefined => {
  const [leaf, inside] = [textFieldsIn(text) as Leaf | undefined, textFieldsIn(structure)]
  return leaf !== undefined && inside !== undefined ? [leaf, inside] : (leaf ?? inside)
}

/** Where the chain finds text in a value of the shape. */
export const fieldsOf = (shape: AnyShape): AnyFields => textFieldsIn(shape) ?? {}

/** The name of a member without the question mark. */
export const nameOfMember = (key: string): string => (key.endsWith('?') ? key.slice(0, -1) : key)

const isTextLeaf = (shape: string): shape is TextLeaf => !['number', 'boolean', 'floats'].includes(shape)
