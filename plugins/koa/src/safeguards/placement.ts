/** Where requests of each kind name the checks that they request. */

import type { RequestedChecks, Kernel, Stage } from '@sallyport/core'
import type { JsonObject } from '../schemas/schema.js'
import type { SafeguardVocabulary } from './misplaced.js'
import { titleCaseHeader, specificationOptions } from './specification-checks.js'
import { requestedChecksIn } from './requested-checks.js'

export interface SafeguardPlacement {
  /** The right place of each option, by its name: `pii` → `input.pii`. Empty where a request takes none. */
  readonly placeByOption: (words: SafeguardVocabulary) => Readonly<Record<string, string>>
  /** Whether the request is itself a check, so that a misplaced threshold is refused, too. */
  readonly isCheck?: true
  /** Reads the checks that a valid body requests; undefined for none. @throws invalid_request */
  readonly read: (body: JsonObject, kernel: Kernel) => RequestedChecks | undefined
}

const placesByOption = ({ options }: SafeguardVocabulary, placeOf: (option: string, stage: Stage) => string) =>
  Object.fromEntries(Array.from(options, ([option, stage]) => [option, placeOf(option, stage)]))

const containers = { input: 'input', output: 'output', safeguards: 'input and output' }

/** Requests with the options `input` and `output`. */
export const inputAndOutputFields: SafeguardPlacement = {
  placeByOption: (words) => ({ ...placesByOption(words, (option, stage) => `${stage}.${option}`), ...containers }),
  read: (body, kernel) => requestedChecksIn({ input: 'input', output: 'output' }, body, kernel),
}

/** Requests with the options `safeguards`. */
export const safeguardsField: SafeguardPlacement = {
  placeByOption: (words) => ({
    ...placesByOption(words, (option) => `safeguards.${option}`),
    ...{ output: 'safeguards', safeguards: 'safeguards' },
  }),
  read: (body, kernel) => requestedChecksIn({ input: 'safeguards', output: 'safeguards' }, body, kernel),
}

/** Forms with a file, which request checks in headers or in fields with JSON. */
export const formFields: SafeguardPlacement = {
  ...inputAndOutputFields,
  placeByOption: (words) => ({
    ...placesByOption(words, (option, stage) => `${stage}={"${option}": …}`),
    ...Object.fromEntries(
      specificationOptions.flatMap(({ option, header }) =>
        header === undefined ? [] : [[option, `the header ${titleCaseHeader(header)}`]],
      ),
    ),
    ...containers,
  }),
}

/** Requests that take no safeguard options. */
export const noSafeguards: SafeguardPlacement = { placeByOption: () => ({}), read: () => undefined }

/** Requests that are a check themselves. @param names the fields that are options of the check */
export const checkOwnOptions = (names: readonly string[] = []): SafeguardPlacement => ({
  ...noSafeguards,
  placeByOption: () => Object.fromEntries(names.map((name) => [name, name])),
  isCheck: true,
})
