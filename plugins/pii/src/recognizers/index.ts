import { creditCard } from './credit-card.js'
import { crypto } from './crypto.js'
import { age, birthDate, dateTime } from './date-time.js'
import { email } from './email.js'
import { iban } from './iban.js'
import { ipAddress } from './ip.js'
import { address, city, country, zipCode } from './location.js'
import { macAddress } from './mac.js'
import { national } from './numbers.js'
import { nrp } from './nrp.js'
import { organization, organizationInContext } from './organization.js'
import { givenName, initialledPerson, labelledPerson, person } from './person.js'
import { nonLatinPerson } from './non-latin-person.js'
import { phone, phoneAfterVagueWord } from './phone.js'
import { besideOtherScripts } from '../patterns/boundaries.js'
import type { Recognizer } from './recognizer.js'
import { swift } from './swift.js'
import { url } from './url.js'
import { usAndUk } from './us.js'

/** Adapts a recogniser of Latin letters and digits to texts in any script. */
export const inAnyScript = (recognizer: Recognizer): Recognizer => ({
  ...recognizer,
  patterns: recognizer.patterns.map((pattern) => ({ ...pattern, regex: besideOtherScripts(pattern.regex) })),
})

export const recognizers: readonly Recognizer[] = [
  person,
  labelledPerson,
  initialledPerson,
  givenName,
  nonLatinPerson,
  country,
  city,
  address,
  zipCode,
  organization,
  organizationInContext,
  dateTime,
  birthDate,
  age,
  nrp,
  ...[
    email,
    phone,
    phoneAfterVagueWord,
    creditCard,
    iban,
    swift,
    ipAddress,
    macAddress,
    url,
    crypto,
    ...usAndUk,
    ...national,
  ].map(inAnyScript),
]
