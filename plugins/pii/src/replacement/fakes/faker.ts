import type { Faker, LocaleDefinition } from '@faker-js/faker'
import { faker as shared } from '@faker-js/faker/locale/en'
import type { Randomness } from '../../random/randomness.js'

/** The library exports the class only together with all its languages, which take 7 MB more of the heap. */
const OwnFaker = shared.constructor as new (options: { locale: LocaleDefinition }) => Faker

/** A private instance, which nobody else seeds or draws from. */
const faker = new OwnFaker({ locale: shared.rawDefinitions })

export const seededFaker = (random: Randomness): Faker => {
  faker.seed(Array.from({ length: 4 }, () => random.below(0x1000000)))
  return faker
}
