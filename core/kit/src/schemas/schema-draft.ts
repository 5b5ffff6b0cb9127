import { isRecord } from '../json/data.js'

export type SchemaDraft = 'draft-07' | '2020-12'

/** Drafts 4 to 6 are read as draft 7. */
const legacy = /^https?:\/\/json-schema\.org\/draft-0[4-7]\/schema#?$/

/**
 * The draft by which a JSON Schema is read: the one that `$schema` names, or 2020-12 where it names none or an unknown
 * one.
 */
export const schemaDraft = (schema: unknown): SchemaDraft =>
  isRecord(schema) && typeof schema['$schema'] === 'string' && legacy.test(schema['$schema']) ? 'draft-07' : '2020-12'
