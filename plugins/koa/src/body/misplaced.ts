import { failure } from '@sallyport/core'
import { isRecord } from '@sallyport/kit/json'
import type { JsonObject } from './parse.js'

/** Where a request says which checks it wants. */
export interface SafeguardPlaces {
  /** Right place of each option, by its name: `pii` → `input.pii`. Empty where a request takes none. */
  readonly right: Readonly<Record<string, string>>
  /** Whether the request is nothing but a check: thresholds are read as options of it, too. */
  readonly isCheck?: true
}

const inputOptions = ['block_prompt_injection', 'pii', 'pii_replace_method', 'entity_list']
const outputOptions = ['factuality', 'toxicity']
const optionNames = [...inputOptions, ...outputOptions]
const containers = ['input', 'output', 'safeguards']

/** Requests with the options `input` and `output`. */
export const inputAndOutput: SafeguardPlaces = {
  right: Object.fromEntries([
    ...inputOptions.map((name) => [name, `input.${name}`] as const),
    ...outputOptions.map((name) => [name, `output.${name}`] as const),
    ['input', 'input'],
    ['output', 'output'],
    ['safeguards', 'input and output'],
  ]),
}

/** Requests with the options `safeguards`. */
export const insideSafeguards: SafeguardPlaces = {
  right: {
    ...Object.fromEntries(optionNames.map((name) => [name, `safeguards.${name}`])),
    output: 'safeguards',
    safeguards: 'safeguards',
  },
}

/** Requests with a file say it in headers. */
export const inHeaders: SafeguardPlaces = {
  right: {
    block_prompt_injection: 'the header Injection',
    pii: 'the header Pii',
    pii_replace_method: 'the header Replace-Method',
    entity_list: 'the header Entity-List',
    toxicity: 'the header Toxicity',
    safeguards: 'headers such as Pii and Toxicity',
  },
}

/** Requests that take no safeguard options. */
export const nowhere: SafeguardPlaces = { right: {} }

/** Requests that are a check themselves. @param names those of its fields that say how it is done */
export const optionsOfItsOwn = (names: readonly string[] = []): SafeguardPlaces => ({
  right: Object.fromEntries(names.map((name) => [name, name])),
  isCheck: true,
})

/**
 * Unknown fields are ignored, but not one that reads like a safeguard: in the wrong place or misspelt it would
 * silently be off. `null` asks for nothing.
 * @throws invalid_request, which names the right place
 */
export const refuseMisplacedSafeguards = (body: JsonObject, known: ReadonlySet<string>, places: SafeguardPlaces) => {
  const { right, isCheck } = places
  for (const key of Object.keys(body)) {
    if (known.has(key) || body[key] === null) continue
    if (isCheck && isThreshold(key)) throw failure('invalid_request', { field: key, problem: notForCallers })
    const meant = isCheck ? (ownOption(key, right) ?? meantBy(key)) : meantBy(key)
    // A request that has the field `input` for something else is not misspelling a safeguard.
    if (meant !== undefined && !(containers.includes(meant) && key !== meant && isOther(meant, right)))
      throw failure('invalid_request', { field: key, problem: problemOf(key, right[meant]) })
    refuseInside(key, body[key], right)
  }
  const [, container] = /^(\w+)\.pii$/.exec(right['pii'] ?? '') ?? []
  if (container !== undefined) refuseWithoutPii(body[container], container)
}

const notForCallers = 'is no field here: thresholds are set in the configuration'

const isThreshold = (key: string): boolean => /threshold/i.test(key)

/** One of these options, misspelt, or called by one of its words: `method`, `entityTypes`. */
const ownOption = (key: string, right: SafeguardPlaces['right']): string | undefined => {
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
const refuseInside = (field: string, value: unknown, right: SafeguardPlaces['right']): void => {
  if (!isRecord(value)) return
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner !== 'boolean' && !isRecord(inner) && (field === 'metadata' || typeof inner !== 'string')) continue
    const meant = meantBy(key)
    if (meant === undefined || (containers.includes(meant) && !isContainer(key, inner, field))) continue
    throw failure('invalid_request', { field: `${field}.${key}`, problem: problemOf(`${field}.${key}`, right[meant]) })
  }
}

/** Whether it is one of safeguard options: `input` and `output` may be about something else. */
const isContainer = (key: string, value: unknown, field: string): boolean =>
  isRecord(value) &&
  (field === 'extra_body' ||
    meantBy(key) === 'safeguards' ||
    Object.keys(value).some((name) => meantBy(name) !== undefined))

const problemOf = (key: string, place: string | undefined): string => {
  if (place === undefined) return 'this request takes no safeguard options'
  if (key !== place) return `is no field here: use ${place} for this safeguard`
  const [container, option] = place.split('.')
  return `is no field here: write {"${container}": {"${option}": …}} for this safeguard`
}

const isOther = (container: string, right: SafeguardPlaces['right']): boolean =>
  container !== 'safeguards' && right[container] === undefined

/** Options that say how to look for personal information do not turn it on. @throws invalid_request */
const refuseWithoutPii = (given: unknown, container: string): void => {
  if (typeof given !== 'object' || given === null) return
  const options = given as JsonObject
  // In options an empty text is as absent as null.
  const isGiven = (name: string) => (options[name] ?? '') !== ''
  const useless = isGiven('pii') ? undefined : ['pii_replace_method', 'entity_list'].find(isGiven)
  if (useless === undefined) return
  throw failure('invalid_request', {
    field: `${container}.pii`,
    problem: `is missing: "${useless}" does nothing without it; give "block" or "replace"`,
  })
}

/** The container or option that a key stands for; undefined for one that is about something else. */
const meantBy = (key: string): string | undefined =>
  key.length > longestKey
    ? undefined
    : ([...containers, ...optionNames].find((name) => isNearly(key, name)) ?? meantByWords(wordsOf(key)))

/** Nobody misspells a name to such a length. */
const longestKey = 64

/** Of `input.pii`, `toxicityCheck`, `guardrails`. */
const wordsOf = (key: string): string[] =>
  key
    .replace(/([a-z])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3 $2$4')
    .toLowerCase()
    .split(/[^a-z]+/)

const meanings: Readonly<Record<string, string>> = {
  pii: 'pii',
  injection: 'block_prompt_injection',
  toxicity: 'toxicity',
  factuality: 'factuality',
  safeguard: 'safeguards',
  guardrail: 'safeguards',
  guard: 'safeguards',
}

/** Short words are a letter away from too many others. */
const isWord = (word: string, name: string): boolean =>
  word.replace(/s$/, '') === name || (name.length > 4 && isNearly(word, name))

const aboutOptions = /^(?:options?|settings?|config|checks?|filters?|policy|policies)$/

const meantByWords = (words: readonly string[]): string | undefined => {
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
