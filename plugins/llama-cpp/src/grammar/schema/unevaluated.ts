import { isObject } from './document.js'
import type { JsonObject, SchemaNode } from './document.js'

/** Keywords whose schemas may evaluate properties and items of the same value. */
const applicators =
  '$ref $dynamicRef $recursiveRef allOf anyOf contains dependencies dependentSchemas if not oneOf'.split(' ')

const isAlone = (schema: JsonObject): boolean => !applicators.some((keyword) => keyword in schema)

/** The keyword for properties or items that no other keyword describes; the unevaluated one where it means the same. */
export const closingKeyword = (schema: JsonObject, additional: string, unevaluated: string): string | undefined =>
  [additional, ...(isAlone(schema) ? [unevaluated] : [])].find((keyword) => keyword in schema)

/** Whether the unevaluated keyword means the same as the one for additional values, or adds nothing to it. */
export const isUnevaluatedEnforced = ({ schema }: SchemaNode, keyword: string, additional: string): boolean =>
  !isObject(schema) ||
  schema[keyword] === undefined ||
  schema[keyword] === true ||
  additional in schema ||
  isAlone(schema)
