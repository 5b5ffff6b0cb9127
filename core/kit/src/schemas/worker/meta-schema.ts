/** Checks that a value is a schema, by the meta-schema of the draft that it names or else of 2020-12. */

import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { pathOfPointer } from '../../json/data.js'
import { describeAllowed } from '../describe.js'
import type { Nouns } from '../describe.js'
import { schemaDraft } from '../schema-draft.js'
import type { SchemaDraft } from '../schema-draft.js'
import type { Flaw } from '../protocol.js'

const options = { strict: false, verbose: true, logger: false, validateFormats: false } as const

const metaSchemas: Readonly<Record<SchemaDraft, () => ValidateFunction | undefined>> = {
  'draft-07': () => new Ajv(options).getSchema('http://json-schema.org/draft-07/schema'),
  '2020-12': () => new Ajv2020(options).getSchema('https://json-schema.org/draft/2020-12/schema'),
}

const compiled = new Map<SchemaDraft, ValidateFunction>()

const metaSchema = (draft: SchemaDraft): ValidateFunction => {
  const validate = compiled.get(draft) ?? metaSchemas[draft]()
  if (!validate) throw new TypeError(`there is no meta-schema of ${draft}`)
  compiled.set(draft, validate)
  return validate
}

// Compiled before the first caller waits for it.
metaSchema('2020-12')

export const metaProblem = (schema: unknown): Flaw | undefined => {
  const validate = metaSchema(schemaDraft(schema))
  if (validate(schema)) return undefined
  const [first] = validate.errors ?? []
  return first && describe(first, schema)
}

const nouns: Nouns = { integer: 'an integer', text: 'a string', list: 'an array', map: 'an object' }

const describe = ({ instancePath, keyword, parentSchema }: ErrorObject, schema: unknown): Flaw => {
  const path = pathOfPointer(instancePath, schema)
  const allowed = describeAllowed(parentSchema ?? {}, nouns)
  return { path, problem: keyword === 'uniqueItems' ? 'must have no item twice' : `must be ${allowed}` }
}
