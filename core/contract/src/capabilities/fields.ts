/** How the safeguard chain finds text. A leaf is text that a person or a model wrote, or opaque. */

/**
 * A leaf that the chain treats as text.
 * - `text` is whole in itself.
 * - `part` is one of the parts of a list that make up one text: they are checked one by one, and together.
 * - `delta` continues over the chunks of a stream, and over the items of a list in them: those with the same `choice`
 *   and `index` on the way to the leaf (0 where absent) belong together.
 * - `copy` repeats other text of the same chunk, and is dropped where that is replaced, or where it says something
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

/**
 * Where text is in a value, made of its shape: a leaf; an object with what is declared of each key that carries text
 * (records use the key `*`); or, where a value is either a string or a structure, the pair of both. Lists are
 * transparent: what is declared of a list is that of its items.
 */
export type AnyFields = Leaf | readonly [Leaf, AnyFields] | { readonly [key: string]: AnyFields }
