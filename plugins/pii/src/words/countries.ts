/** Names of countries, by the tables of the runtime. */

import data from './countries.json' with { type: 'json' }
import { wordsOf } from './lists.js'

const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index))

/** Codes without a country, or whose names more often mean something else. */
const nonCountryCodes: ReadonlySet<string> = new Set(wordsOf(data.noCountries))

const names = (): string[] => {
  const inEnglish = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  const regions = codes
    .filter((code) => !nonCountryCodes.has(code))
    .flatMap((code) => inEnglish.of(code)?.replace(/^St\. /, 'Saint ') ?? [])
  return [...regions, ...wordsOf(data.also)].flatMap((name) => [
    name,
    ...(name.includes(' & ') ? [name.replace(' & ', ' and ')] : []),
    ...(/\(.*\)$/.test(name) ? [name.replace(/ \(.*\)$/, '')] : []),
  ])
}

/** All names of countries, the longest first. */
export const countryNames: readonly string[] = [...new Set(names())].sort((a, b) => b.length - a.length)

/** Names of countries that are words or given names in lower case. */
export const ambiguousCountries: ReadonlySet<string> = new Set(wordsOf(data.ambiguous))

const inLowerCase = new Set(countryNames.map((name) => name.toLowerCase()))

/** Whether a text is the name of a country, and of nothing else. */
export const isCountry = (text: string): boolean =>
  inLowerCase.has(text.toLowerCase()) && !ambiguousCountries.has(text.toLowerCase())
