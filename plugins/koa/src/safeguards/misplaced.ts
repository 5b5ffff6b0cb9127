/** Refuses safeguards that are misspelt or stand in the wrong place. */

import type { CheckDescription, Stage } from '@sallyport/core'
import { isRecord } from '@sallyport/kit/json'
import { invalidField } from '../invalid-field.js'
import type { JsonObject } from '../schemas/schema.js'
import type { SafeguardPlaces } from './places.js'
import { isSpelt, speltOptions } from './spellings.js'

/** The names of all checks that requests may ask for. */
export interface SafeguardWords {
  /** Options by their names, with the container that they belong into. */
  readonly options: ReadonlyMap<string, Stage>
  /** What single words mean: `injection` → `block_prompt_injection`. */
  readonly meanings: Readonly<Record<string, string>>
}

export const safeguardWords = (checks: ReadonlyMap<string, CheckDescription>): SafeguardWords => {
  const others = [...checks.values()].filter(({ name }) => !isSpelt(name))
  return {
    options: new Map<string, Stage>([
      ...speltOptions.map(({ option, of }) => [option, of.stage] as const),
      ...others.map(({ name, stages }) => [name, stages.output === undefined ? 'input' : 'output'] as const),
    ]),
    meanings: {
      ...Object.fromEntries(speltOptions.map(({ of }) => [of.check, of.option])),
      ...Object.fromEntries(others.filter(({ name }) => /^[a-z]{4,}$/.test(name)).map(({ name }) => [name, name])),
      ...{ safeguard: 'safeguards', guardrail: 'safeguards', guard: 'safeguards' },
    },
  }
}

/**
 * Unknown fields are ignored, but not one that reads like a safeguard: in the wrong place or misspelt it would
 * silently be off. `null` asks for nothing.
 * @param known the fields that the request has
 * @returns throws invalid_request, which names the right place
 */
export const misplacedSafeguards = (
  known: ReadonlySet<string>,
  places: SafeguardPlaces,
  words: SafeguardWords,
): ((body: JsonObject) => void) => {
  const { isCheck } = places
  const right = places.right(words)
  return (body) => {
    for (const [key, value] of Object.entries(body)) {
      if (known.has(key) || value === null) continue
      if (isCheck && /threshold/i.test(key))
        throw invalidField(key, 'is no field here: thresholds are set in the configuration')
      const meant = (isCheck && ownOption(key, right)) || meantBy(key, words)
      if (meant !== undefined && !mayBeMeant(meant, value, words)) continue
      // A request that has the field `input` for something else is not misspelling a safeguard.
      const isOther = containers.includes(meant ?? '') && meant !== 'safeguards' && right[meant ?? ''] === undefined
      if (meant !== undefined && (key === meant || !isOther)) throw invalidField(key, problemOf(key, right[meant]))
      refuseInside(key, value, right, words)
    }
  }
}

type Right = Readonly<Record<string, string>>

const containers = ['input', 'output', 'safeguards']

const spelt: ReadonlySet<string> = new Set(speltOptions.map(({ option }) => option))

/** The names of other checks are everybody's words: there the value must look like what is said of a check, too. */
const mayBeMeant = (meant: string, value: unknown, words: SafeguardWords): boolean =>
  !words.options.has(meant) ||
  spelt.has(meant) ||
  typeof value === 'boolean' ||
  ['true', 'block', 'replace'].includes(value as string) ||
  (isRecord(value) && 'action' in value)

/** One of these options, misspelt, or called by one of its words: `method`, `entityTypes`. */
const ownOption = (key: string, right: Right): string | undefined => {
  if (key.length > maxLength) return undefined
  const stems = wordsOf(key).map(stemOf)
  return Object.keys(right).find(
    (name) => isNearly(key, name) || wordsOf(name).some((word) => stems.includes(stemOf(word))),
  )
}

const stemOf = (word: string): string => word.replace(/(?:y|ies|s)$/, '')

/**
 * SDKs put what they do not know into `extra_body`, and take it out again; who writes it by hand nests it. Texts are
 * left alone: `metadata` may hold any.
 */
const refuseInside = (field: string, value: unknown, right: Right, words: SafeguardWords): void => {
  if (!isRecord(value)) return
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner !== 'boolean' && !isRecord(inner) && (field === 'metadata' || typeof inner !== 'string')) continue
    const meant = meantBy(key, words)
    if (meant === undefined || !mayBeMeant(meant, inner, words)) continue
    if (containers.includes(meant) && !isContainer(meant, inner, field, words)) continue
    throw invalidField(`${field}.${key}`, problemOf(`${field}.${key}`, right[meant]))
  }
}

/** Whether it holds safeguard options: `input` and `output` may be about something else. */
const isContainer = (meant: string, value: unknown, field: string, words: SafeguardWords): boolean =>
  isRecord(value) &&
  (field === 'extra_body' ||
    meant === 'safeguards' ||
    Object.keys(value).some((name) => meantBy(name, words) !== undefined))

const problemOf = (key: string, place: string | undefined): string => {
  if (place === undefined) return 'this request takes no safeguard options'
  if (key !== place) return `is no field here: use ${place} for this safeguard`
  const [container, option] = place.split('.')
  return `is no field here: write {"${container}": {"${option}": …}} for this safeguard`
}

/** The container or option that a key stands for; undefined for one that is about something else. */
const meantBy = (key: string, words: SafeguardWords): string | undefined =>
  key.length > maxLength
    ? undefined
    : ([...containers, ...words.options.keys()].find((name) => isNearly(key, name)) ??
      meantByWords(wordsOf(key), words))

/** Nobody misspells a name to such a length. */
const maxLength = 64

/** Of `input.pii`, `toxicityCheck`, `guardrails`. */
const wordsOf = (key: string): string[] =>
  key
    .replace(/([a-z])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3 $2$4')
    .toLowerCase()
    .split(/[^a-z]+/)

/** Short words are a letter away from too many others. */
const isWord = (word: string, name: string): boolean =>
  word.replace(/s$/, '') === name || (name.length > 4 && isNearly(word, name))

const aboutOptions = /^(?:options?|settings?|config|checks?|filters?|policy|policies)$/

const meantByWords = (words: readonly string[], { meanings }: SafeguardWords): string | undefined => {
  for (const word of words) {
    const meaning = Object.keys(meanings).find((name) => isWord(word, name))
    if (meaning !== undefined) return meanings[meaning]
  }
  const [container = '', about = '', ...rest] = words
  return !rest.length && aboutOptions.test(about) && containers.includes(container) ? container : undefined
}

/** Equal but for case, or one letter off: changed, missing, added, or two neighbours exchanged. */
const isNearly = (written: string, name: string): boolean => {
  const text = written.toLowerCase()
  if (Math.abs(text.length - name.length) > 1) return false
  let start = 0
  while (start < name.length && text[start] === name[start]) start += 1
  const rest = text.slice(start)
  const expected = name.slice(start)
  return (
    rest.slice(1) === expected.slice(1) ||
    rest.slice(1) === expected ||
    rest === expected.slice(1) ||
    (rest.slice(2) === expected.slice(2) && rest[0] === expected[1] && rest[1] === expected[0])
  )
}
