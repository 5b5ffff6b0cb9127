/** Converts the texts of a form to the values that its schema describes. */

import { locateSyntaxError } from '../body/locate.js'
import { misplacedSafeguardCheck } from '../safeguards/misplaced.js'
import type { SafeguardVocabulary } from '../safeguards/misplaced.js'
import { formFields } from '../safeguards/placement.js'
import type { JsonObject, Schema } from '../schemas/schema.js'
import { invalidField } from '../invalid-field.js'

const trueText = /^(?:true|1|yes|on)$/i
const falseText = /^(?:false|0|no|off)$/i

/** @returns undefined for a text that means neither true nor false */
export const parseBoolean = (text: string): boolean | undefined =>
  trueText.test(text) ? true : falseText.test(text) ? false : undefined

/** Maximum bytes of a text field. */
export const maxFieldBytes = 64 * 1024
/** Maximum bytes of a field without free text: a name, a number, a list of words. */
const maxOpaqueFieldBytes = 4 * 1024

/** The fields that a form may have beside its file. Names may end in `[]`. */
export class FormFields {
  private readonly names: ReadonlyMap<string, string>
  private readonly refuseMisplaced: (body: JsonObject) => void

  /** @param aliases other spellings of names */
  constructor(
    private readonly properties: Readonly<Record<string, Schema>>,
    words: SafeguardVocabulary,
    aliases: Readonly<Record<string, string>> = {},
  ) {
    const own = Object.keys(properties).map((name) => [name, name] as const)
    this.names = new Map([...own, ...Object.entries(aliases)])
    this.refuseMisplaced = misplacedSafeguardCheck(new Set(), formFields, words)
  }

  /**
   * The name that the schema has for a field; undefined for unknown and empty fields, which are ignored.
   * @throws invalid_request for a field that is too long, or reads like a safeguard in the wrong place
   */
  nameOf(rawName: string, text: string): string | undefined {
    if (rawName === '__proto__') throw invalidField(rawName, 'a field of this name is not allowed')
    if (text.trim() === '') return undefined
    const bare = rawName.replace(/\[\]$/, '')
    const name = this.names.get(bare)
    if (name === undefined) this.refuseUnknown(bare, text)
    else if (Buffer.byteLength(text) > maxBytesOf(this.properties[name]))
      throw invalidField(name, `must have at most ${maxBytesOf(this.properties[name])} bytes`)
    return name
  }

  /** Some clients write the members of an object as fields of their own. @throws invalid_request */
  private refuseUnknown(rawName: string, text: string): void {
    const [name = ''] = rawName.split('[')
    if (name !== rawName && this.properties[name]?.type === 'object')
      throw invalidField(rawName, `is not a field here: send ${name} as one field, with a JSON object`)
    this.refuseMisplaced({ [rawName]: text })
  }

  /**
   * Converts the received fields to values. A text that cannot be converted to the type of its field is left as it is,
   * and validation refuses it.
   * @throws invalid_request for a field that is given twice, but not in a list, and for an object that is not JSON
   */
  bodyOf(fields: ReadonlyMap<string, readonly string[]>): JsonObject {
    return Object.fromEntries([...fields].map(([name, texts]) => [name, valueOf(name, texts, this.properties[name])]))
  }
}

const maxBytesOf = (schema: Schema | undefined): number =>
  schema?.['x-text'] || schema?.type === 'object' ? maxFieldBytes : maxOpaqueFieldBytes

const valueOf = (name: string, texts: readonly string[], schema: Schema | undefined): unknown => {
  if (schema?.type === 'array')
    return texts.flatMap((text) => parseList(text)).map((text) => parseScalar(text, schema.items))
  const [text = '', ...others] = texts
  if (others.length && others.some((other) => other !== text)) throw invalidField(name, 'is given several times')
  return schema?.type === 'object' ? parseObject(name, text) : parseScalar(text, schema)
}

const parseObject = (name: string, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidField(name, `must be a JSON object: ${locateSyntaxError(text)}`)
  }
}

/** A JSON array or a comma-separated list. */
export const parseList = (text: string): string[] => {
  const inner = /^\s*\[([^]*)\]\s*$/.exec(text)?.[1] ?? text
  return inner
    .split(',')
    .map((item) => item.trim().replace(/^(["'])([^]*)\1$/, '$2'))
    .filter(Boolean)
}

const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

const parseScalar = (text: string, schema: Schema | undefined): unknown => {
  switch (schema?.type) {
    case 'boolean':
      return parseBoolean(text.trim()) ?? text
    case 'integer':
    case 'number':
      return number.test(text.trim()) ? Number(text) : text
    default:
      return text
  }
}
