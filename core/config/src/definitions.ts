import { isList, isRecord } from '@sallyport/kit/json'
import { mapSubschemas } from '@sallyport/kit/schemas'
import type { JsonSchema } from '@sallyport/kit/schemas'

/**
 * Says once, in `$defs`, what a schema says in several places: whole properties under their own names, and alternatives
 * of values, which may be described otherwise in each place, under the type of the first.
 */
export const withDefinitions = (schema: JsonSchema): JsonSchema => {
  const places = countPlaces(schema)
  const definitions: Record<string, unknown> = { ...(isRecord(schema.$defs) ? schema.$defs : {}) }
  const names = new Map<string, string>()
  const define = (text: string, title: string, content: () => JsonSchema): JsonSchema => {
    const name = names.get(text) ?? freeName(title, definitions)
    if (!names.has(text)) {
      names.set(text, name)
      // Taken before what is inside wants the same name.
      definitions[name] = undefined
      definitions[name] = content()
    }
    return { $ref: `#/$defs/${name}` }
  }
  const isRepeated = (text: string | undefined): text is string => text !== undefined && (places.get(text) ?? 0) > 1
  const share = (child: JsonSchema, keyword: string, key?: string): JsonSchema => {
    const text = textOfProperty(child, keyword, key)
    return isRepeated(text) ? define(text, key ?? '', () => shareValue(child)) : shareValue(child)
  }
  const shareValue = (child: JsonSchema): JsonSchema => {
    const { annotations, value } = parts(child)
    const text = textOfValue(value)
    const inner = () => mapSubschemas(value, share)
    return { ...annotations, ...(isRepeated(text) ? define(text, typeOf(value), inner) : inner()) }
  }
  return { ...mapSubschemas(schema, share), $defs: definitions }
}

/** What is told of a value, and what it may be. */
export const parts = ({ description, default: filledIn, ...value }: JsonSchema) => ({
  annotations: {
    ...(description === undefined ? {} : { description }),
    ...(filledIn === undefined ? {} : { default: filledIn }),
  },
  value,
})

const textOfProperty = (schema: JsonSchema, keyword: string, key = ''): string | undefined =>
  keyword === 'properties' && 'description' in schema && /^[\w-]+$/.test(key) ? JSON.stringify(schema) : undefined

const textOfValue = (value: JsonSchema): string | undefined => ('anyOf' in value ? JSON.stringify(value) : undefined)

const typeOf = ({ anyOf }: JsonSchema): string => {
  const [first] = isList(anyOf) ? anyOf : []
  return isRecord(first) && typeof first['type'] === 'string' ? first['type'] : 'value'
}

/** In how many places what can be shared stands, by its text; inside of what stands in several, once. */
const countPlaces = (schema: JsonSchema): ReadonlyMap<string, number> => {
  const places = new Map<string, number>()
  const isNew = (text: string | undefined): boolean => {
    const before = (text !== undefined && places.get(text)) || 0
    if (text !== undefined) places.set(text, before + 1)
    return before === 0
  }
  const count = (child: JsonSchema, keyword: string, key?: string): JsonSchema => {
    const { value } = parts(child)
    return isNew(textOfProperty(child, keyword, key)) && isNew(textOfValue(value)) ? mapSubschemas(value, count) : child
  }
  mapSubschemas(schema, count)
  return places
}

const freeName = (name: string, taken: object, number = 1): string => {
  const numbered = number > 1 ? `${name}${number}` : name
  return Object.hasOwn(taken, numbered) ? freeName(name, taken, number + 1) : numbered
}
