/** Declares where the safeguard chain finds text. A leaf is text that a person or a model wrote, or opaque. */

/**
 * A leaf that the chain treats as text.
 * - `text` is complete by itself.
 * - `part` is one of the parts of a list that make up one text: they are checked one by one, and together.
 * - `delta` continues over the chunks of a stream, and over the items of a list in a chunk or a result: those with the
 *   same `choice` and `index` on the way to the leaf (0 where absent) belong together.
 * - `line` is one line of the text that all lines of a result, or of a stream, make up: short texts such as headings,
 *   which say little by themselves. They are checked together, in their order.
 * - `copy` repeats other text of the same chunk, and is dropped where that is replaced, or where it says something
 *   else; of a method that answers with copies alone, it repeats the request, which is then checked instead.
 * - `aside` is not part of the answer and too small to be checked; it is dropped where answers are checked.
 * - `identifier` is an id. One that does not look like an id is refused in requests, and checked as text in results.
 *   One that does may still contain something: where texts are checked, a meaningless stand-in replaces it.
 * - `schema` is a JSON Schema: all of it is text except its keywords and the names of types and formats.
 * - `name` names something for programs, such as a tool: text, in which no names of people are looked for if it is one
 *   word.
 */
export type TextLeaf = 'text' | 'part' | 'delta' | 'line' | 'copy' | 'aside' | 'identifier' | 'schema' | 'name'

/** A leaf that is not checked, with the reason. */
export interface OpaqueLeaf {
  readonly opaque: string
}

export type Leaf = TextLeaf | OpaqueLeaf

/** Declares a leaf that carries no text of a person or a model. */
export const opaque = (reason: string): OpaqueLeaf => ({ opaque: reason })

/**
 * Where text is in a value, made from its shape: a leaf; an object with the fields of each key that holds a leaf
 * (records use the key `*`); or, where a value is either a string or a structure, the pair of both. The fields of a
 * list are those of its items.
 */
export type AnyFields = Leaf | readonly [Leaf, AnyFields] | { readonly [key: string]: AnyFields }
