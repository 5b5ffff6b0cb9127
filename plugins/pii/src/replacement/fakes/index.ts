import type { CompiledRecognizer } from '../../matching/compiled.js'
import { sameShape } from '../../random/same-shape.js'
import type { Randomness } from '../../random/randomness.js'
import { mayBeName } from '../../words/names.js'
import { fakeCard, fakeIban, fakeWallet } from './accounts.js'
import { fakeDate } from './date.js'
import { fakeCompany, fakeGroup, fakeEmail, fakeName, fakePlace, inCaseOf, isCountry } from './names.js'
import { fakeIp, fakeMac, fakeUrl } from './network.js'
import { validNumber } from './number.js'
import { fakePhone } from './phone.js'

/** Makes another value of the same kind; undefined where none can be made. */
type FakeFactory = (original: string, random: Randomness) => string | undefined

const factories: Readonly<Record<string, FakeFactory>> = {
  PERSON: (original, random) => inCaseOf(original, fakeName(original, random)),
  LOCATION: (original, random) => inCaseOf(original, fakePlace(original, random)),
  ORGANIZATION: (original, random) => inCaseOf(original, fakeCompany(random)),
  NRP: (original, random) => inCaseOf(original, fakeGroup(random)),
  EMAIL_ADDRESS: (_, random) => fakeEmail(random),
  URL: fakeUrl,
  IP_ADDRESS: fakeIp,
  MAC_ADDRESS: fakeMac,
  DATE_TIME: fakeDate,
  AGE: (original, random) => original.replace(/\d+/u, () => String(18 + random.below(70))),
  PHONE_NUMBER: fakePhone,
  CREDIT_CARD: fakeCard,
  IBAN_CODE: fakeIban,
  CRYPTO: fakeWallet,
  SWIFT_CODE: (original, random) =>
    sameShape(original.slice(0, 4), random) + original.slice(4, 6) + sameShape(original.slice(6), random),
}

/** Another value in the same format, with valid check digits and the same country; for unknown types, the same shape. */
export const fakeOf = (
  original: string,
  type: string,
  random: Randomness,
  recognizers: readonly CompiledRecognizer[],
): string => {
  const factory = factories[type]
  const fake = factory ? factory(original, random) : validNumber(original, random, recognizers)
  return fake ?? sameShape(original, random)
}

/**
 * Whether answers may well say a fake by themselves, so that nobody can tell what to put back: a common word, a country
 * or known town, a nationality or religion, an age, a date without a day or a year.
 */
export const isOrdinary = (fake: string, original: string, type: string): boolean => {
  if (type === 'NRP' || type === 'AGE' || (type === 'LOCATION' && isCountry(original))) return true
  return type === 'DATE_TIME' ? !/(?:\d\D*){5}/u.test(fake) : !mayBeName(fake.toLowerCase())
}
