import { base, en, Faker } from '@faker-js/faker'
import type { Randomness } from '../randomness.js'

/** Our own: nobody else draws from it, or seeds it. */
const faker = new Faker({ locale: [en, base] })

export const seeded = (random: Randomness): Faker => {
  faker.seed([random.integer(), random.integer(), random.integer(), random.integer()])
  return faker
}
