import { countryNames } from '../../recognizers/data/countries.js'
import { ofSameShape } from '../random.js'
import type { Randomness } from '../randomness.js'
import { seeded } from './faker.js'

const countries = new Map(countryNames.map((name) => [name.toLowerCase(), name]))

/** A country for a country, an address for an address, digits for a code, a town for what remains. */
export const fakePlace = (original: string, random: Randomness): string => {
  const { location } = seeded(random)
  const name = original.toLowerCase().trim()
  if (countries.has(name)) return location.country()
  if (!/\d/.test(original)) return location.city()
  if (original.length <= 10) return ofSameShape(original, random)
  const parts = original.split(/[,\n]/).length
  const street = location.streetAddress()
  return parts > 1 ? `${street}, ${location.city()} ${location.zipCode('#####')}` : street
}
