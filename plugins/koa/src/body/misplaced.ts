import { failure } from '@sallyport/core'
import type { CheckDescription, Stage } from '@sallyport/core'
import { isRecord } from '@sallyport/kit/json'
import { isSpelt, shownHeader, speltOptions } from '../specification/spellings.js'
import type { Spelling } from '../specification/spellings.js'
import type { JsonObject } from './parse.js'

/** Where a request says which checks it wants. */
export interface SafeguardPlaces {
  /** Right place of each option, by its name: `pii` → `input.pii`. Empty where a request takes none. */
  readonly right: (words: SafeguardWords) => Readonly<Record<string, string>>
  /** Whether the request is nothing but a check: thresholds are read as options of it, too. */
  readonly isCheck?: true
}

/** The names of all checks that requests may ask for. */
export interface SafeguardWords {
  /** Options by their names, with the container that they belong into. */
  readonly options: ReadonlyMap<string, Stage>
  /** What single words mean: `injection` → `block_prompt_injection`. */
  readonly meanings: Readonly<Record<string, string>>
}

export const safeguardWords = (checks: ReadonlyMap<string, CheckDescription>): SafeguardWords => {
  const called = [...checks.values()].filter(({ name }) => !isSpelt(name))
  const stageOf = ({ stages }: CheckDescription): Stage => (stages.output === undefined ? 'input' : 'output')
  return {
    options: new Map<string, Stage>([
      ...speltOptions.map(({ option, of }) => [option, of.stage] as const),
      ...called.map((check) => [check.name, stageOf(check)] as const),
    ]),
    meanings: {
      ...Object.fromEntries(speltOptions.flatMap(({ of }) => [[of.check, of.option]])),
      ...Object.fromEntries(called.filter(({ name }) => /^[a-z]{4,}$/.test(name)).map(({ name }) => [name, name])),
      ...{ safeguard: 'safeguards', guardrail: 'safeguards', guard: 'safeguards' },
    },
  }
}

const containers = ['input', 'output', 'safeguards']

/** Requests with the options `input` and `output`. */
export const inputAndOutput: SafeguardPlaces = {
  right: ({ options }) => ({
    ...Object.fromEntries(Array.from(options, ([name, stage]) => [name, `${stage}.${name}`])),
    ...{ input: 'input', output: 'output', safeguards: 'input and output' },
  }),
}

/** Requests with the options `safeguards`. */
export const insideSafeguards: SafeguardPlaces = {
  right: ({ options }) => ({
    ...Object.fromEntries(Array.from(options.keys(), (name) => [name, `safeguards.${name}`])),
    ...{ output: 'safeguards', safeguards: 'safeguards' },
  }),
}

/** Requests with a file say it in headers, or in fields with JSON. */
export const inForms: SafeguardPlaces = {
  right: ({ options }) => ({
    ...Object.fromEntries(Array.from(options, ([name, stage]) => [name, `${stage}={"${name}": …}`])),
    ...Object.fromEntries(
      speltOptions.flatMap(({ option, header }) =>
        header === undefined ? [] : [[option, `the header ${shownHeader(header)}`]],
      ),
    ),
    ...{ input: 'input', output: 'output', safeguards: 'input and output' },
  }),
}

/** Requests that take no safeguard options. */
export const nowhere: SafeguardPlaces = { right: () => ({}) }

type Right = Readonly<Record<string, string>>

/** Requests that are a check themselves. @param names those of its fields that say how it is done */
export const optionsOfItsOwn = (names: readonly string[] = []): SafeguardPlaces => ({
  right: () => Object.fromEntries(names.map((name) => [name, name])),
  isCheck: true,
})

/**
 * Unknown fields are ignored, but not one that reads like a safeguard: in the wrong place or misspelt it would
 * silently be off. `null` asks for nothing.
 * @throws invalid_request, which names the right place
 */
export const refuseMisplacedSafeguards = (
  body: JsonObject,
  known: ReadonlySet<string>,
  places: SafeguardPlaces,
  words: SafeguardWords,
) => {
  const { isCheck } = places
  const right = places.right(words)
  for (const key of Object.keys(body)) {
    if (known.has(key) || body[key] === null) continue
    if (isCheck && isThreshold(key)) throw failure('invalid_request', { field: key, problem: notForCallers })
    const meant = isCheck ? (ownOption(key, right) ?? meantBy(key, words)) : meantBy(key, words)
    if (meant !== undefined && !mayBeMeant(meant, body[key], words)) continue
    // A request that has the field `input` for something else is not misspelling a safeguard.
    if (meant !== undefined && !(containers.includes(meant) && key !== meant && isOther(meant, right)))
      throw failure('invalid_request', { field: key, problem: problemOf(key, right[meant]) })
    refuseInside(key, body[key], right, words)
  }
  for (const { of, option } of speltOptions)
    if (of.replacing && option === of.option) refuseWithout(of, body, right[option])
}

const options: ReadonlySet<string> = new Set(speltOptions.map(({ option }) => option))

/** The names of other checks are everybody's words: there the value must look like what is said of a check, too. */
const mayBeMeant = (meant: string, value: unknown, words: SafeguardWords): boolean =>
  !words.options.has(meant) ||
  options.has(meant) ||
  typeof value === 'boolean' ||
  value === 'true' ||
  value === 'block' ||
  value === 'replace' ||
  (isRecord(value) && 'action' in value)

const notForCallers = 'is no field here: thresholds are set in the configuration'

const isThreshold = (key: string): boolean => /threshold/i.test(key)

/** One of these options, misspelt, or called by one of its words: `method`, `entityTypes`. */
const ownOption = (key: string, right: Right): string | undefined => {
  if (key.length > longestKey) return undefined
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
    if (containers.includes(meant) && !isContainer(key, inner, field, words)) continue
    throw failure('invalid_request', { field: `${field}.${key}`, problem: problemOf(`${field}.${key}`, right[meant]) })
  }
}

/** Whether it is one of safeguard options: `input` and `output` may be about something else. */
const isContainer = (key: string, value: unknown, field: string, words: SafeguardWords): boolean =>
  isRecord(value) &&
  (field === 'extra_body' ||
    meantBy(key, words) === 'safeguards' ||
    Object.keys(value).some((name) => meantBy(name, words) !== undefined))

const problemOf = (key: string, place: string | undefined): string => {
  if (place === undefined) return 'this request takes no safeguard options'
  if (key !== place) return `is no field here: use ${place} for this safeguard`
  const [container, option] = place.split('.')
  return `is no field here: write {"${container}": {"${option}": …}} for this safeguard`
}

const isOther = (container: string, right: Right): boolean =>
  container !== 'safeguards' && right[container] === undefined

/** In options an empty text is as absent as null. */
const isGiven = (options: unknown, name: string): boolean => isRecord(options) && (options[name] ?? '') !== ''

/** Options that say how something is replaced do not turn its check on. @throws invalid_request */
const refuseWithout = ({ option, replacing }: Spelling, body: JsonObject, place = ''): void => {
  const [container, name] = place.split('.')
  if (container === undefined || name !== option) return
  const options = body[container]
  if (!replacing || isGiven(options, option)) return
  const useless = [replacing.method, replacing.ignore].find((spelt) => isGiven(options, spelt.option))
  if (useless === undefined) return
  throw failure('invalid_request', {
    field: place,
    problem: `is missing: "${useless.option}" does nothing without it; give "block" or "replace"`,
  })
}

/** The container or option that a key stands for; undefined for one that is about something else. */
const meantBy = (key: string, words: SafeguardWords): string | undefined =>
  key.length > longestKey
    ? undefined
    : ([...containers, ...words.options.keys()].find((name) => isNearly(key, name)) ??
      meantByWords(wordsOf(key), words))

/** Nobody misspells a name to such a length. */
const longestKey = 64

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
