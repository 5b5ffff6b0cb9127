import { isValidPhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { defaultCountries } from '../../recognizers/phone.js'
import type { Randomness } from '../../random/randomness.js'
import { fill } from './fill.js'

/** Numbers reserved for examples, by calling code; each dot is replaced by a digit. */
const reserved: Readonly<Record<string, readonly string[]>> = {
  1: ['21255501..', '31255501..', '41555501..', '60255501..', '80855501..'],
  44: ['2079460...', '7700900...', '1632960...', '1134960...'],
  33: ['199000...', '639981...', '261911...'],
  49: ['3023125...', '8999998...', '15228817386'],
  61: ['255501...', '491570...', '355501...'],
  46: ['8465004..', '313900...'],
  353: ['20910....'],
  7: ['4995550...'],
}

const attempts = 400

/** A number of the same country, reserved where the country reserves some for examples; written like the original. */
export const fakePhone = (original: string, random: Randomness): string | undefined => {
  const [, body = '', extension = ''] = /^(.*?\d)(\s?(?:x|ext\.?|extension|#)\s?\d+)?$/is.exec(original) ?? []
  const number = parsed(body)
  const digits = body.replace(/\D/g, '')
  const national = number?.nationalNumber ?? digits
  const lead = digits.slice(0, digits.length - national.length)
  const reservedShapes = (reserved[number?.countryCallingCode ?? '1'] ?? []).filter(
    ({ length }) => length === national.length,
  )
  // A valid number keeps its area; an invalid one keeps its leading zeros.
  const prefix = number?.isValid() ? national.slice(0, 2) : (/^0{0,2}/.exec(national)?.[0] ?? '')
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const shape = reservedShapes.length
      ? random.oneOf(reservedShapes)
      : prefix + '.'.repeat(national.length - prefix.length)
    const fake = shape.replaceAll('.', () => String(random.below(10)))
    const isUsable =
      reservedShapes.length > 0 || !number?.isValid() || isValidPhoneNumber(`+${number.countryCallingCode}${fake}`)
    if (isUsable && fake !== national)
      return fill(body, /\d/g, lead + fake) + extension.replaceAll(/\d/g, () => String(random.below(10)))
  }
  return undefined
}

const parsed = (text: string) => {
  const plain = text.startsWith('00') ? `+${text.slice(2)}` : text
  if (plain.startsWith('+')) return parsePhoneNumberFromString(plain)
  return defaultCountries
    .map((country) => parsePhoneNumberFromString(plain, country))
    .find((number) => number?.isValid())
}
