import { Ajv2020 } from 'ajv/dist/2020.js'
import type { AnySchemaObject } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { explain } from './explain.js'
import type { Path } from '../json/data.js'
import type { Problem } from './problem.js'
import type { JsonSchema } from './json-schema.js'

type Kind = 'class' | 'function' | 'capability'

/** The kinds of values that a plugin's definition holds beside data. */
const kinds: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  /** A class is a function with a prototype, whose methods are served. */
  class: (value) => typeof value === 'function' && typeof (value as { prototype?: unknown }).prototype === 'object',
  function: (value) => typeof value === 'function',
  capability: (value) =>
    typeof value === 'object' && value !== null && ['name', 'token', 'methods'].every((key) => key in value),
}

/** Knows our own keywords, too: `is: 'class'` and the like, and `short`. */
const createAjv = (): Ajv2020 => {
  const ajv = new Ajv2020({
    allErrors: true,
    useDefaults: true,
    verbose: true,
    strict: true,
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    allowUnionTypes: true,
    addUsedSchema: false,
    // Compiling finds the same mistakes in a schema; the meta-schema takes long to load.
    validateSchema: false,
    meta: false,
  })
  formats.default(ajv)
  ajv.addKeyword({
    keyword: 'is',
    schemaType: 'string',
    validate: (kind: Kind, value: unknown) => kinds[kind](value),
  })
  ajv.addKeyword('short')
  return ajv
}

/** Finds what is wrong with a value and fills defaults into it. */
export type Validate = (value: unknown, path?: Path) => readonly Problem[]

/**
 * Each schema has an Ajv of its own, since an Ajv keeps whatever it has compiled.
 * @throws Error where the schema itself is wrong
 */
export const compileSchema = (schema: JsonSchema): Validate => {
  const validate = createAjv().compile(schema as AnySchemaObject)
  return (value, path = []) => (validate(value) ? [] : explain(validate.errors ?? [], value, path))
}
