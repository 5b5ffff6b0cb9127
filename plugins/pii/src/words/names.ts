/** Known names of persons and places, in lower case: those of faker and some more. */

import type { LocaleDefinition } from '@faker-js/faker'
import { cities } from './cities.js'
import { isCommon } from './common-words.js'
import { countryNames } from './countries.js'
import { wordsOf } from './lists.js'
import { english, locales } from './locales.js'
import data from './names.json' with { type: 'json' }
import nonNames from './non-names.json' with { type: 'json' }

type NameLists = NonNullable<LocaleDefinition['person']>['first_name']

const allOf = (lists: NameLists): string[] =>
  [lists?.generic, lists?.female, lists?.male].flatMap((names) => names ?? [])

const inLowerCase = (names: readonly string[]): string[] => names.map((name) => name.toLowerCase())

const names: ReadonlySet<string> = new Set(
  inLowerCase([
    ...locales
      .flatMap(({ person, location }) => [
        ...allOf(person?.first_name),
        ...allOf(person?.last_name),
        ...(location?.city_name ?? []),
        ...(location?.state ?? []),
      ])
      .filter((name) => !name.includes(' ')),
    ...cities,
    ...wordsOf(data.surnamesThatAreWords),
  ]),
)

/** Whether a word, in lower case, is a name of persons or places, even if it has other meanings. */
export const isKnownName = (word: string): boolean => names.has(word)

/** Whether all words are common, and none is also a name. */
export const isOrdinary = (text: string): boolean =>
  (text.toLowerCase().match(/\p{L}+/gu) ?? []).every((word) => isCommon(word) && !isKnownName(word))

/** Words that, with a capital, more often mean something else: words, months, places, titles. */
const words: ReadonlySet<string> = new Set([
  ...inLowerCase(Object.values(english.word ?? {}).flatMap((some) => (some as readonly unknown[]).map(String))),
  ...wordsOf(data.ambiguousGivenNames),
  ...inLowerCase([...(english.location?.city_name ?? []), ...(english.location?.state ?? []), ...countryNames]),
])

const givenNamesOf = ({ person }: LocaleDefinition): string[] =>
  inLowerCase(allOf(person?.first_name)).filter((name) => name.length > 2 && !words.has(name))

/** Given names that count without a surname. */
export const standaloneGivenNames: ReadonlySet<string> = new Set(givenNamesOf(english))

/** Given names that count with a surname. */
export const givenNamesBeforeSurname: ReadonlySet<string> = new Set(locales.flatMap(givenNamesOf))

/** Works of art and fictional characters with names like those of people. */
export const works: ReadonlySet<string> = new Set(wordsOf(nonNames.works))
