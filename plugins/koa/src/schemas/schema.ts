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

/** The type of what is valid against a schema, which must be `as const`. Of texts with a pattern it is any text. */
export type BodyOf<S> = S extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : S extends { readonly type: readonly (infer Type)[] }
    ? BodyOfEach<S, Type>
    : S extends { readonly type: 'object' }
      ? ObjectOf<S>
      : S extends { readonly type: 'array'; readonly items: infer Item }
        ? BodyOf<Item>[]
        : S extends { readonly type: keyof Scalars }
          ? Scalars[S['type']]
          : unknown

interface Scalars {
  string: string
  number: number
  integer: number
  boolean: boolean
  null: null
}

type BodyOfEach<S, Type> = Type extends unknown ? BodyOf<Omit<S, 'type'> & { readonly type: Type }> : never

type ObjectOf<S> = S extends { readonly properties: infer Properties }
  ? Simplify<
      { [Name in keyof Properties & RequiredBy<S>]: BodyOf<Properties[Name]> } & {
        [Name in Exclude<keyof Properties, RequiredBy<S>>]?: BodyOf<Properties[Name]>
      }
    >
  : S extends { readonly additionalProperties: infer Value extends object }
    ? Record<string, BodyOf<Value>>
    : JsonObject

type RequiredBy<S> = S extends { readonly required: readonly (infer Name)[] } ? Name : never

type Simplify<Type> = { [Name in keyof Type]: Type[Name] }

/** Keywords of our own; they stay in the published document as extensions. */
export const ownKeywords = ['x-allowed', 'x-empty-is-absent', 'x-text', 'x-opaque'] as const
