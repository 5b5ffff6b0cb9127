/**
 * How the safeguard chain finds text: every capability declares, for each free string (or byte array, or value of
 * unknown type) in its requests and results, whether it is text that a person or a model wrote, or opaque.
 * The types below make an undeclared leaf a compile error.
 */

/**
 * A leaf that the chain knows as text.
 * - `text` is whole in itself.
 * - `part` is one of the parts of a list that make up one text: they are checked one by one, and together.
 * - `delta` continues over the pieces of a stream, and over the items of a list in them: those with the same `choice`
 *   and `index` on the way to the leaf (0 where absent) belong together.
 * - `copy` repeats other text of the same piece, and is dropped where that is replaced, or where it says something
 *   else; of a method that answers with copies alone, it repeats the request, which is then checked in its place.
 * - `aside` is no part of the answer and too small to be checked; it is dropped where answers are checked.
 * - `identifier` names something; what does not look like a name is refused where it goes in, and text where it comes
 *   out. What does could still say something: where texts are checked, a name that means nothing stands for it.
 * - `schema` is a JSON Schema: all of it is text but its keywords and the names of types and formats.
 * - `name` is what programs know something by, such as a tool: text, in which nobody's name is looked for where it is
 *   one word.
 */
export type TextLeaf = 'text' | 'part' | 'delta' | 'copy' | 'aside' | 'identifier' | 'schema' | 'name'

/** A leaf that is not checked, with the reason. */
export interface OpaqueLeaf {
  readonly opaque: string
}

export type Leaf = TextLeaf | OpaqueLeaf

/** Declares a leaf that carries no text of a person or a model. */
export const opaque = (reason: string): OpaqueLeaf => ({ opaque: reason })

type Primitive = string | number | bigint | boolean | symbol | null | undefined
type Opaque = Float32Array | ((...args: never[]) => unknown)
type IsUnknown<T> = unknown extends T ? true : false
/** NonNullable turns `unknown` into `{}`. */
type Present<T> = IsUnknown<T> extends true ? T : NonNullable<T>

/** Arrays are transparent: the declaration of a list is that of its items. */
type Item<T> = IsUnknown<T> extends true ? T : T extends readonly (infer Inner)[] ? Item<Inner> : T

/** Free strings, bytes and values of unknown type are leaves; string literals are enumerations and are not. */
type IsLeaf<T> =
  IsUnknown<T> extends true
    ? true
    : T extends string
      ? string extends T
        ? true
        : false
      : T extends Uint8Array
        ? true
        : false

type HasLeaf<T> = IsUnknown<T> extends true ? true : true extends (T extends unknown ? IsLeaf<T> : never) ? true : false
type Structures<T> = T extends Primitive | Opaque | Uint8Array ? never : Carries<T> extends true ? T : never

/** True when a value of type T can hold a leaf. */
type Carries<T> = HasLeaf<Item<T>> extends true ? true : true extends CarriesInside<Item<T>> ? true : false
type CarriesInside<T> = T extends Primitive | Opaque ? false : { [Key in keyof T]-?: Carries<Present<T[Key]>> }[keyof T]

type Intersect<Union> = (Union extends unknown ? (value: Union) => void : never) extends (value: infer Whole) => void
  ? Whole
  : never

type ObjectFields<T> = T extends unknown
  ? string extends keyof T
    ? { readonly '*': Fields<T[keyof T]> }
    : { readonly [Key in keyof T as Carries<Present<T[Key]>> extends true ? Key : never]-?: Fields<T[Key]> }
  : never

/**
 * The declaration for a type: a leaf; an object with a declaration per carrying key (records use the key `*`); or,
 * where a value is either a string or a structure, the pair of both.
 */
export type Fields<T> = IsUnknown<T> extends true ? Leaf : FieldsOfItem<Item<Present<T>>>
type FieldsOfItem<T> =
  HasLeaf<T> extends true
    ? IsUnknown<T> extends true
      ? Leaf
      : [Structures<T>] extends [never]
        ? Leaf
        : readonly [Leaf, Intersect<ObjectFields<Structures<T>>>]
    : [Structures<T>] extends [never]
      ? Record<never, never>
      : Intersect<ObjectFields<Structures<T>>>

/** The same declaration as seen by code that walks values without knowing their type. */
export type AnyFields = Leaf | readonly [Leaf, AnyFields] | { readonly [key: string]: AnyFields }
