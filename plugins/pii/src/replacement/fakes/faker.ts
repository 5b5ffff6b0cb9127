import type { Faker, LocaleDefinition } from '@faker-js/faker'
import { faker as shared } from '@faker-js/faker/locale/en'
import type { Randomness } from '../randomness.js'

/** The library exports it only beside all of its languages, which take 7 MB more of the heap. */
const OwnFaker = shared.constructor as new (options: { locale: LocaleDefinition }) => Faker

/** Our own: nobody else draws from it, or seeds it. */
const faker = new OwnFaker({ locale: shared.rawDefinitions })

export const seeded = (random: Randomness): Faker => {
  faker.seed([random.integer(), random.integer(), random.integer(), random.integer()])
  return faker
}
