/** Where requests say which checks they want. */

import type { CallerSafeguards, Kernel, Stage } from '@sallyport/core'
import type { JsonObject } from '../schemas/schema.js'
import type { SafeguardWords } from './misplaced.js'
import { shownHeader, speltOptions } from './spellings.js'
import { wishesIn } from './wishes.js'

export interface SafeguardPlaces {
  /** Right place of each option, by its name: `pii` → `input.pii`. Empty where a request takes none. */
  readonly right: (words: SafeguardWords) => Readonly<Record<string, string>>
  /** Whether the request is nothing but a check: thresholds are read as options of it, too. */
  readonly isCheck?: true
  /** What a valid body asks for; undefined when nothing. @throws invalid_request */
  readonly wishes: (body: JsonObject, kernel: Kernel) => CallerSafeguards | undefined
}

const rightPlaces = ({ options }: SafeguardWords, placeOf: (option: string, stage: Stage) => string) =>
  Object.fromEntries(Array.from(options, ([option, stage]) => [option, placeOf(option, stage)]))

const containers = { input: 'input', output: 'output', safeguards: 'input and output' }

/** Requests with the options `input` and `output`. */
export const inputAndOutput: SafeguardPlaces = {
  right: (words) => ({ ...rightPlaces(words, (option, stage) => `${stage}.${option}`), ...containers }),
  wishes: (body, kernel) => wishesIn({ input: 'input', output: 'output' }, body, kernel),
}

/** Requests with the options `safeguards`. */
export const insideSafeguards: SafeguardPlaces = {
  right: (words) => ({
    ...rightPlaces(words, (option) => `safeguards.${option}`),
    ...{ output: 'safeguards', safeguards: 'safeguards' },
  }),
  wishes: (body, kernel) => wishesIn({ input: 'safeguards', output: 'safeguards' }, body, kernel),
}

/** Requests with a file say it in headers, or in fields with JSON. */
export const inForms: SafeguardPlaces = {
  ...inputAndOutput,
  right: (words) => ({
    ...rightPlaces(words, (option, stage) => `${stage}={"${option}": …}`),
    ...Object.fromEntries(
      speltOptions.flatMap(({ option, header }) =>
        header === undefined ? [] : [[option, `the header ${shownHeader(header)}`]],
      ),
    ),
    ...containers,
  }),
}

/** Requests that take no safeguard options. */
export const nowhere: SafeguardPlaces = { right: () => ({}), wishes: () => undefined }

/** Requests that are a check themselves. @param names those of its fields that say how it is done */
export const optionsOfItsOwn = (names: readonly string[] = []): SafeguardPlaces => ({
  ...nowhere,
  right: () => Object.fromEntries(names.map((name) => [name, name])),
  isCheck: true,
})
