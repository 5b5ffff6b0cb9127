/** JSON Schemas (draft 2020-12) of bodies: they validate, and they are what `/openapi.json` shows. */

/** A body as parsed, before its fields are checked. */
export type JsonObject = Record<string, unknown>

export interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: boolean | Schema
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly description?: string
  /** What is allowed, in words, where a message made from the keywords would be unclear. */
  readonly 'x-allowed'?: string
  /** An empty string counts as absent. */
  readonly 'x-empty-is-absent'?: true
  /** A person or a model wrote the string, or every string of the value: the safeguards see it. */
  readonly 'x-text'?: true
  /** Why the safeguards do not see the string. Tests demand that each string is opaque, text, or an enum. */
  readonly 'x-opaque'?: string
  readonly [keyword: string]: unknown
}

/** The schema of a body that a handler receives as `Body`. */
export interface BodySchema<Body> extends Schema {
  /** It is never set, and only carries the type. */
  readonly body?: Body
}

/** Keywords of our own; they stay in the published document as extensions. */
export const ownKeywords = ['x-allowed', 'x-empty-is-absent', 'x-text', 'x-opaque'] as const
