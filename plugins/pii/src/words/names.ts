/** Known names of persons and places, in lower case: those of faker and some more. */

import type { LocaleDefinition } from '@faker-js/faker'
import { cities } from './cities.js'
import { isCapitalisedCommonWord, isCommon } from './common-words.js'
import { countryNames } from './countries.js'
import { wordsOf } from './lists.js'
import { english, locales } from './locales.js'
import data from './names.json' with { type: 'json' }
import { isNonName } from './non-names.js'
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

const places: ReadonlySet<string> = new Set(inLowerCase(cities))

/** Words that, with a capital, more often mean something else: words, months, places, titles. */
const words: ReadonlySet<string> = new Set([
  ...inLowerCase(Object.values(english.word ?? {}).flatMap((some) => (some as readonly unknown[]).map(String))),
  ...wordsOf(data.ambiguousGivenNames),
  ...inLowerCase([...(english.location?.city_name ?? []), ...(english.location?.state ?? []), ...countryNames]),
])

const givenNamesOf = ({ person }: LocaleDefinition): string[] =>
  inLowerCase(allOf(person?.first_name)).filter((name) => name.length > 2 && !words.has(name))

/** The source of a pattern for words in lower case between given names and surnames. */
export const particles = 'de|da|del|della|di|du|van|von|der|den|bin|al|el|la|le|y|zu'

/** The source of a pattern for people whose names or ages are told after `my`, `his` or `her`. */
export const relatives =
  'wife|husband|son|daughter|brother|sister|mother|father|mom|mum|dad|(?:grand|god)(?:mother|father|son|daughter|ma|pa)|aunt|uncle|cousin|nephew|niece|friend|girlfriend|boyfriend|fiancée?|boss|colleague|neighbou?r|doctor|teacher|lawyer'

const isAlsoWord = (name: string): boolean =>
  name.length < 4 ||
  isCommon(name) ||
  isCapitalisedCommonWord(name.charAt(0).toUpperCase() + name.slice(1)) ||
  isNonName(name)

/** Whether a word with a capital, here in lower case, may be an unknown name before a surname. */
export const mayBeName = (word: string): boolean => !isAlsoWord(word) && !words.has(word) && !places.has(word)

const surnameByForm = new RegExp(`.{2}(?:${data.surnameEndings})$`, 'u')

/**
 * Whether a word with a capital, here in lower case, is a surname of northern or eastern Europe by its ending: there are
 * too many for a list.
 */
export const isSurname = (name: string): boolean => surnameByForm.test(name) && mayBeName(name)

/** The source of a pattern for people by what they do. */
export const occupations =
  'singer|writer|author|poet|actor|actress|painter|composer|striker|goalkeeper|midfielder|coach|architect|journalist|reporter|politician|minister|senator|mayor|lawyer|attorney|nurse|surgeon|technician|engineer|professor|biologist|physicist|historian|detective|officer|spokes(?:man|woman|person)|flatmate|roommate|tenant|pianist|violinist|cyclist|swimmer|novelist'

/** Given names that count without a surname. */
export const standaloneGivenNames: ReadonlySet<string> = new Set(givenNamesOf(english))

/** Given names that count with a surname. */
export const givenNamesBeforeSurname: ReadonlySet<string> = new Set(locales.flatMap(givenNamesOf))

/** Works of art and fictional characters with names like those of people. */
export const works: ReadonlySet<string> = new Set(wordsOf(nonNames.works))
