/** Names of persons and places that are known, in lower case: those of the library and some of our own. */

import type { LocaleDefinition } from '@faker-js/faker'
import { cities } from './cities.js'
import { countryNames } from './countries.js'
import { wordsOf } from './lists.js'
import { english, locales } from './locales.js'
import data from './names.json' with { type: 'json' }
import noNames from './no-names.json' with { type: 'json' }

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

/** Whether a word, in lower case, is a name of persons or a place, whatever else it is. */
export const isKnownName = (word: string): boolean => names.has(word)

/** What is more often something else where it has a capital: words, months, places, titles. */
const words: ReadonlySet<string> = new Set([
  ...inLowerCase(Object.values(english.word ?? {}).flatMap((some) => (some as readonly unknown[]).map(String))),
  ...wordsOf(data.ambiguousGivenNames),
  ...inLowerCase([...(english.location?.city_name ?? []), ...(english.location?.state ?? []), ...countryNames]),
])

const givenNamesOf = ({ person }: LocaleDefinition): string[] =>
  inLowerCase(allOf(person?.first_name)).filter((name) => name.length > 2 && !words.has(name))

/** Given names that are one when alone. */
export const commonNames: ReadonlySet<string> = new Set(givenNamesOf(english))

/** Given names that are one with a surname behind them. */
export const knownNames: ReadonlySet<string> = new Set(locales.flatMap(givenNamesOf))

/** Works and figures of art and tales that are called like people: nobody is meant. */
export const works: ReadonlySet<string> = new Set(wordsOf(noNames.works))
