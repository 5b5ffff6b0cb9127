import { failure } from '@sallyport/core'
import type { JsonObject } from './parse.js'

/** Where a request says which checks it wants. */
export interface SafeguardPlaces {
  /** Right place of each option, by its name: `pii` → `input.pii`. Empty where a request takes none. */
  readonly right: Readonly<Record<string, string>>
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

/** Requests that take no safeguard options. */
export const nowhere: SafeguardPlaces = { right: {} }

/**
 * Unknown fields are ignored, but not one that reads like a safeguard: in the wrong place or misspelt it would
 * silently be off. `null` asks for nothing.
 * @throws invalid_request, which names the right place
 */
export const refuseMisplacedSafeguards = (body: JsonObject, known: ReadonlySet<string>, { right }: SafeguardPlaces) => {
  for (const key of Object.keys(body)) {
    if (known.has(key) || body[key] === null) continue
    const meant = [...containers, ...optionNames].find((name) => isNearly(key, name))
    // A request that has the field `input` for something else is not misspelling a safeguard.
    if (meant === undefined || (containers.includes(meant) && key !== meant && right[meant] === undefined)) continue
    const place = right[meant]
    throw failure('invalid_request', {
      field: key,
      problem: place ? `is no field here: use ${place} for this safeguard` : 'this request takes no safeguard options',
    })
  }
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
