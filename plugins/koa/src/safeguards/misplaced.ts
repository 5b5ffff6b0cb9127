/** Refuses safeguards that are misspelt or in the wrong place. */

import type { CheckDescription, Stage } from '@sallyport/core'
import { isRecord } from '@sallyport/kit/json'
import { invalidField } from '../invalid-field.js'
import type { JsonObject } from '../schemas/schema.js'
import type { SafeguardPlacement } from './placement.js'
import { isSpecificationCheck, specificationOptions } from './specification-checks.js'

/** The words by which requests name checks and their options. */
export interface SafeguardVocabulary {
  /** The stage, and so the container, of each option. */
  readonly options: ReadonlyMap<string, Stage>
  /** The option or container that a single word means: `injection` → `block_prompt_injection`. */
  readonly optionByWord: Readonly<Record<string, string>>
}

export const safeguardVocabulary = (checks: ReadonlyMap<string, CheckDescription>): SafeguardVocabulary => {
  const others = [...checks.values()].filter(({ name }) => !isSpecificationCheck(name))
  return {
    options: new Map<string, Stage>([
      ...specificationOptions.map(({ option, owner }) => [option, owner.stage] as const),
      ...others.map(({ name, stages }) => [name, stages.output === undefined ? 'input' : 'output'] as const),
    ]),
    optionByWord: {
      ...Object.fromEntries(specificationOptions.map(({ owner }) => [owner.check, owner.option])),
      ...Object.fromEntries(others.filter(({ name }) => /^[a-z]{4,}$/.test(name)).map(({ name }) => [name, name])),
      ...{ safeguard: 'safeguards', guardrail: 'safeguards', guard: 'safeguards' },
    },
  }
}

/**
 * Unknown fields are ignored, except those that look like a safeguard: misspelt or in the wrong place, it would
 * silently be off. `null` requests nothing.
 * @param known the fields of the request's schema
 * @returns a function that throws invalid_request, which names the right place
 */
export const misplacedSafeguardCheck = (
  known: ReadonlySet<string>,
  placement: SafeguardPlacement,
  words: SafeguardVocabulary,
): ((body: JsonObject) => void) => {
  const { isCheck } = placement
  const places = placement.placeByOption(words)
  return (body) => {
    for (const [key, value] of Object.entries(body)) {
      if (known.has(key) || value === null) continue
      if (isCheck && /threshold/i.test(key))
        throw invalidField(key, 'is not a field here: thresholds are set in the configuration')
      const meant = (isCheck && intendedOwnOption(key, places)) || intendedName(key, words)
      if (meant !== undefined && !hasCheckValue(meant, value, words)) continue
      // A request that has the field `input` for something else is not misspelling a safeguard.
      const isOther = containers.includes(meant ?? '') && meant !== 'safeguards' && places[meant ?? ''] === undefined
      if (meant !== undefined && (key === meant || !isOther)) throw invalidField(key, problemOf(key, places[meant]))
      refuseInside(key, value, places, words)
    }
  }
}

type PlaceByOption = Readonly<Record<string, string>>

const containers = ['input', 'output', 'safeguards']

const specificationOptionNames: ReadonlySet<string> = new Set(specificationOptions.map(({ option }) => option))

/** The names of other checks are common words, so their value, too, must look like a requested check. */
const hasCheckValue = (meant: string, value: unknown, words: SafeguardVocabulary): boolean =>
  !words.options.has(meant) ||
  specificationOptionNames.has(meant) ||
  typeof value === 'boolean' ||
  ['true', 'block', 'replace'].includes(value as string) ||
  (isRecord(value) && 'action' in value)

/** The check's own option that a key misspells, or one of whose words it has: `method`, `entityTypes`. */
const intendedOwnOption = (key: string, placeByOption: PlaceByOption): string | undefined => {
  if (key.length > maxLength) return undefined
  const stems = wordsOf(key).map(stemOf)
  return Object.keys(placeByOption).find(
    (name) => isWithinOneEdit(key, name) || wordsOf(name).some((word) => stems.includes(stemOf(word))),
  )
}

const stemOf = (word: string): string => word.replace(/(?:y|ies|s)$/, '')

/**
 * SDKs send the members of `extra_body` at the top level, but bodies written by hand nest them. Texts in `metadata` are
 * the caller's and are ignored.
 */
const refuseInside = (field: string, value: unknown, places: PlaceByOption, words: SafeguardVocabulary): void => {
  if (!isRecord(value)) return
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner !== 'boolean' && !isRecord(inner) && (field === 'metadata' || typeof inner !== 'string')) continue
    const meant = intendedName(key, words)
    if (meant === undefined || !hasCheckValue(meant, inner, words)) continue
    if (containers.includes(meant) && !isContainer(meant, inner, field, words)) continue
    throw invalidField(`${field}.${key}`, problemOf(`${field}.${key}`, places[meant]))
  }
}

/** Whether a value holds safeguard options: `input` and `output` may be about something else. */
const isContainer = (meant: string, value: unknown, field: string, words: SafeguardVocabulary): boolean =>
  isRecord(value) &&
  (field === 'extra_body' ||
    meant === 'safeguards' ||
    Object.keys(value).some((name) => intendedName(name, words) !== undefined))

const problemOf = (key: string, place: string | undefined): string => {
  if (place === undefined) return 'this request takes no safeguard options'
  if (key !== place) return `is not a field here: use ${place} for this safeguard`
  const [container, option] = place.split('.')
  return `is not a field here: write {"${container}": {"${option}": …}} for this safeguard`
}

/** The container or option that a key was meant to name; undefined for a key about something else. */
const intendedName = (key: string, words: SafeguardVocabulary): string | undefined =>
  key.length > maxLength
    ? undefined
    : ([...containers, ...words.options.keys()].find((name) => isWithinOneEdit(key, name)) ??
      optionOfWords(wordsOf(key), words))

/** Longer keys are not misspelt names. */
const maxLength = 64

/** Splits `input.pii`, `toxicityCheck` and the like into words in lower case. */
const wordsOf = (key: string): string[] =>
  key
    .replace(/([a-z])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3 $2$4')
    .toLowerCase()
    .split(/[^a-z]+/)

/** Short words must be equal, because they are one letter away from too many others. */
const isWord = (word: string, name: string): boolean =>
  word.replace(/s$/, '') === name || (name.length > 4 && isWithinOneEdit(word, name))

const optionWord = /^(?:options?|settings?|config|checks?|filters?|policy|policies)$/

const optionOfWords = (words: readonly string[], { optionByWord }: SafeguardVocabulary): string | undefined => {
  for (const word of words) {
    const meaning = Object.keys(optionByWord).find((name) => isWord(word, name))
    if (meaning !== undefined) return optionByWord[meaning]
  }
  const [container = '', about = '', ...rest] = words
  return !rest.length && optionWord.test(about) && containers.includes(container) ? container : undefined
}

/**
 * Whether two names are equal but for case and one edit: a letter changed, missing, added, or two neighbours swapped.
 */
const isWithinOneEdit = (key: string, name: string): boolean => {
  const text = key.toLowerCase()
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
