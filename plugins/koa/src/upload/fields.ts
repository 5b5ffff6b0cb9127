/** From the texts of a form to the values that its schema describes. */

import { locateSyntaxError } from '../body/locate.js'
import { misplacedSafeguards } from '../safeguards/misplaced.js'
import type { SafeguardWords } from '../safeguards/misplaced.js'
import { inForms } from '../safeguards/places.js'
import type { JsonObject } from '../schemas/schema.js'
import type { Schema } from '../schemas/schema.js'
import { invalidField } from '../invalid-field.js'

const yes = /^(?:true|1|yes|on)$/i
const no = /^(?:false|0|no|off)$/i

/** @returns undefined for what means neither */
export const booleanOf = (text: string): boolean | undefined =>
  yes.test(text) ? true : no.test(text) ? false : undefined

/** Bytes of the longest field that may come. */
export const maxFieldBytes = 64 * 1024
/** Bytes of a field that is no text of its own: a name, a number, a list of words. */
const maxWordBytes = 4 * 1024

/** The fields that a form may have beside its file. Names stand with or without `[]`. */
export class FormFields {
  private readonly names: ReadonlyMap<string, string>
  private readonly refuseMisplaced: (body: JsonObject) => void

  /** @param aliases other spellings of names */
  constructor(
    private readonly properties: Readonly<Record<string, Schema>>,
    words: SafeguardWords,
    aliases: Readonly<Record<string, string>> = {},
  ) {
    const own = Object.keys(properties).map((name) => [name, name] as const)
    this.names = new Map([...own, ...Object.entries(aliases)])
    this.refuseMisplaced = misplacedSafeguards(new Set(), inForms, words)
  }

  /**
   * The name that the schema has for a field; undefined for one that is ignored, as those are that are empty.
   * @throws invalid_request for one that is too long, or reads like a safeguard in the wrong place
   */
  nameOf(written: string, text: string): string | undefined {
    if (written === '__proto__') throw invalidField(written, 'a field of this name is not allowed')
    if (text.trim() === '') return undefined
    const bare = written.replace(/\[\]$/, '')
    const name = this.names.get(bare)
    if (name === undefined) this.refuseUnknown(bare, text)
    else if (Buffer.byteLength(text) > maxBytesOf(this.properties[name]))
      throw invalidField(name, `must have at most ${maxBytesOf(this.properties[name])} bytes`)
    return name
  }

  /** Some clients write the members of an object as fields of their own. @throws invalid_request */
  private refuseUnknown(written: string, text: string): void {
    const [name = ''] = written.split('[')
    if (name !== written && this.properties[name]?.type === 'object')
      throw invalidField(written, `is no field here: send ${name} as one field, with a JSON object`)
    this.refuseMisplaced({ [written]: text })
  }

  /**
   * The values of what has come. What is not readable as what the schema wants stays a text, which the schema refuses.
   * @throws invalid_request for a field that is given twice, but not in a list, and for an object that is no JSON
   */
  bodyOf(fields: ReadonlyMap<string, readonly string[]>): JsonObject {
    return Object.fromEntries([...fields].map(([name, texts]) => [name, valueOf(name, texts, this.properties[name])]))
  }
}

const maxBytesOf = (schema: Schema | undefined): number =>
  schema?.['x-text'] || schema?.type === 'object' ? maxFieldBytes : maxWordBytes

const valueOf = (name: string, texts: readonly string[], schema: Schema | undefined): unknown => {
  if (schema?.type === 'array') return texts.flatMap((text) => listOf(text)).map((text) => scalarOf(text, schema.items))
  const [text = '', ...others] = texts
  if (others.length && others.some((other) => other !== text)) throw invalidField(name, 'is given several times')
  return schema?.type === 'object' ? jsonIn(name, text) : scalarOf(text, schema)
}

const jsonIn = (name: string, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidField(name, `must be a JSON object: ${locateSyntaxError(text)}`)
  }
}

/** A JSON array, or what stands between commas. */
export const listOf = (text: string): string[] => {
  const inner = /^\s*\[([^]*)\]\s*$/.exec(text)?.[1] ?? text
  return inner
    .split(',')
    .map((item) => item.trim().replace(/^(["'])([^]*)\1$/, '$2'))
    .filter(Boolean)
}

const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

const scalarOf = (text: string, schema: Schema | undefined): unknown => {
  switch (schema?.type) {
    case 'boolean':
      return booleanOf(text.trim()) ?? text
    case 'integer':
    case 'number':
      return number.test(text.trim()) ? Number(text) : text
    default:
      return text
  }
}
