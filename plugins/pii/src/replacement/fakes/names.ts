import { countryNames } from '../../words/countries.js'
import { sameShape } from '../../random/same-shape.js'
import type { Randomness } from '../../random/randomness.js'
import { seededFaker } from './faker.js'

/** A name of as many words as the original has, three at most, and with none of them. */
export const fakeName = (original: string, random: Randomness): string => {
  const { person } = seededFaker(random)
  const words = original.toLowerCase().trim().split(/\s+/)
  const other = (draw: () => string): string => {
    const name = draw()
    return words.includes(name.toLowerCase()) ? other(draw) : name
  }
  const first = other(() => person.firstName())
  if (words.length === 1) return first
  const middle = words.length > 2 ? [other(() => person.middleName())] : []
  return [first, ...middle, other(() => person.lastName())].join(' ')
}

export const fakeCompany = (random: Randomness): string => seededFaker(random).company.name()

/** An email address at an example domain, as any other domain may have an owner. */
export const fakeEmail = (random: Randomness): string => seededFaker(random).internet.exampleEmail().toLowerCase()

const groups = 'Andorran|Belizean|Bhutanese|Fijian|Gabonese|Icelandic|Maltese|Samoan|Tongan|Surinamese'.split('|')

export const fakeGroup = (random: Randomness): string => random.oneOf(groups)

const countries = new Map(countryNames.map((name) => [name.toLowerCase(), name]))

export const isCountry = (text: string): boolean => countries.has(text.toLowerCase().trim())

/** A country for a country, an address for an address, digits for a code, a town for what remains. */
export const fakePlace = (original: string, random: Randomness): string => {
  const { location } = seededFaker(random)
  if (isCountry(original)) return location.country()
  if (!/\d/.test(original)) return location.city()
  if (original.length <= 10) return sameShape(original, random)
  const street = location.streetAddress()
  return /[,\n]/.test(original) ? `${street}, ${location.city()} ${location.zipCode('#####')}` : street
}

/** Gives a text the case of the original: all capitals, all lower case, or unchanged. */
export const inCaseOf = (original: string, text: string): string => {
  const [hasUpper, hasLower] = [/\p{Lu}/u.test(original), /\p{Ll}/u.test(original)]
  if (hasUpper && !hasLower && original.length > 1) return text.toUpperCase()
  return hasLower && !hasUpper ? text.toLowerCase() : text
}
