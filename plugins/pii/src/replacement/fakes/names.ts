import type { Randomness } from '../randomness.js'
import { seeded } from './faker.js'

/** As many words as the original has, three at most. */
export const fakeName = (original: string, random: Randomness): string => {
  const { person } = seeded(random)
  const words = original.trim().split(/\s+/).length
  if (words === 1) return person.firstName()
  return [person.firstName(), ...(words > 2 ? [person.middleName()] : []), person.lastName()].join(' ')
}

export const fakeCompany = (random: Randomness): string => seeded(random).company.name()

/** A host of its own for each would be somebody's: addresses are at example domains. */
export const fakeMail = (random: Randomness): string => seeded(random).internet.exampleEmail().toLowerCase()

const groups = [
  'Andorran',
  'Belizean',
  'Bhutanese',
  'Fijian',
  'Gabonese',
  'Icelandic',
  'Maltese',
  'Samoan',
  'Tongan',
  'Surinamese',
]

export const fakeGroup = (random: Randomness): string => random.oneOf(groups)
