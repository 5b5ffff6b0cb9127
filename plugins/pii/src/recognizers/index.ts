import { birthDate } from './birth-date.js'
import { creditCard } from './credit-card.js'
import { crypto } from './crypto.js'
import { age, dateTime } from './date-time.js'
import { email } from './email.js'
import { iban } from './iban.js'
import { ipAddress } from './ip.js'
import { address, city, country, zipCode } from './location.js'
import { macAddress } from './mac.js'
import { national } from './national/index.js'
import { nrp } from './nrp.js'
import { organization } from './organization.js'
import { givenName, labelledPerson, person } from './person.js'
import { personInScripts } from './person-in-scripts.js'
import { phone } from './phone.js'
import { inAnyScript } from '../patterns/beside-letters.js'
import type { Recognizer } from './recognizer.js'
import { swift } from './swift.js'
import { uk } from './uk.js'
import { url } from './url.js'
import { us } from './us.js'

/** All that the plugin brings. */
export const recognizers: readonly Recognizer[] = [
  person,
  labelledPerson,
  givenName,
  personInScripts,
  country,
  city,
  address,
  zipCode,
  organization,
  dateTime,
  birthDate,
  age,
  nrp,
  ...[email, phone, creditCard, iban, swift, ipAddress, macAddress, url, crypto, ...us, ...uk, ...national].map(
    inAnyScript,
  ),
]
