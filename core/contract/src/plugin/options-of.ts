/**
 * The type of the values that are valid against a JSON Schema, with defaults filled in. The schema must be `as const`.
 */
export type OptionsOf<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly anyOf: readonly (infer Each)[] }
      ? AnyOf<Each>
      : Schema extends { readonly type: 'object' }
        ? ObjectOf<Schema>
        : Schema extends { readonly type: 'array'; readonly items: infer Item }
          ? readonly OptionsOf<Item>[]
          : Schema extends { readonly type: keyof Scalars }
            ? Scalars[Schema['type']]
            : unknown

interface Scalars {
  string: string
  number: number
  integer: number
  boolean: boolean
  null: null
}

type AnyOf<Each> = Each extends unknown ? OptionsOf<Each> : never

type ObjectOf<Schema> = Schema extends { readonly properties: infer Properties }
  ? Simplify<
      RequiredMembers<Properties, NamesRequiredBy<Schema>> & OptionalMembers<Properties, NamesRequiredBy<Schema>>
    >
  : Schema extends { readonly additionalProperties: infer Value extends object }
    ? Readonly<Record<string, OptionsOf<Value>>>
    : Readonly<Record<string, unknown>>

type NamesRequiredBy<Schema> = Schema extends { readonly required: readonly (infer Name)[] } ? Name : never

/** The keys that are required or have a default. */
type RequiredKeys<Properties, Required> = {
  [Name in keyof Properties]: Name extends Required
    ? Name
    : Properties[Name] extends { readonly default: unknown }
      ? Name
      : never
}[keyof Properties]

type RequiredMembers<Properties, Required> = {
  readonly [Name in RequiredKeys<Properties, Required>]: OptionsOf<Properties[Name]>
}

type OptionalMembers<Properties, Required> = {
  readonly [Name in Exclude<keyof Properties, RequiredKeys<Properties, Required>>]?: OptionsOf<Properties[Name]>
}

type Simplify<Type> = { [Name in keyof Type]: Type[Name] }
