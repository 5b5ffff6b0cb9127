/** Another implementation of JSON Schema, to compare with: Ajv, for the draft that a schema names. */

import { Ajv } from 'ajv'
import type { AnySchema, ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

type Json = Readonly<Record<string, unknown>>

export interface Violation {
  readonly keyword: string
  /** Of the schema, from its root. */
  readonly path: string
}

const isLegacy = (schema: unknown): boolean => {
  const { $schema, items } = (typeof schema === 'object' ? schema : {}) as Json
  return /draft-0[3-7]/.test(String($schema)) || Array.isArray(items)
}

/** @throws where Ajv refuses the schema */
export const validatorOf = (schema: unknown): ValidateFunction => {
  const options = { strict: false, logger: false, ownProperties: true, validateSchema: false } as const
  const ajv = isLegacy(schema) ? new Ajv(options) : new Ajv2020(options)
  addFormats.default(ajv)
  return ajv.compile(withoutLoneNullable(schema) as AnySchema)
}

/** `nullable` without a type says nothing, and Ajv refuses it. */
const withoutLoneNullable = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
    const { nullable, type } = (typeof value === 'object' && value !== null ? value : {}) as Json
    if (typeof nullable === 'boolean' && type === undefined) Reflect.deleteProperty(value as object, 'nullable')
    return value
  })

/** The schema without these keywords: `path` is a JSON path as in `$.properties["a b"]`. */
export const withoutKeywords = (schema: unknown, keywords: readonly Violation[]): unknown => {
  const copy = structuredClone(schema)
  for (const { keyword, path } of keywords) {
    const target = stepsOf(path).reduce<unknown>((at, step) => (at as Json | undefined)?.[step], copy)
    if (typeof target === 'object' && target !== null) Reflect.deleteProperty(target, keyword)
  }
  return copy
}

const stepsOf = (path: string): string[] =>
  [...path.slice(1).matchAll(/\.([A-Za-z_$][\w$]*)|\[("(?:[^"\\]|\\.)*"|\d+)\]/g)].map(
    ([, name, quoted]) => name ?? String(JSON.parse(quoted ?? '')),
  )
