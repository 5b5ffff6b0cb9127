import { anyAt, anyDot, literalJoin, spelledEmail } from './obfuscated-email.js'
import { splitSign, isEmailWithSplitSign, tokenized, tokenizedEmail } from './obfuscated-email.js'
import { isTopLevelDomain } from '../words/domains.js'
import { beginsWord } from '../patterns/boundaries.js'
import { wholeIf } from '../patterns/spread.js'
import { raw } from '../patterns/raw-regex.js'
import type { Recognizer } from './recognizer.js'
import data from './email.json' with { type: 'json' }

/** A dot in a domain. An ideographic full stop counts only before a letter or digit, as it ends sentences, too. */
export const domainDot = String.raw`(?:\.|[·。](?=[a-zA-Z\d]))`

const firstCharacter = String.raw`[\p{L}\p{N}_%+]`
/** Excludes places inside a local part; quotes, dashes and dots may precede one. */
const notBefore = String.raw`(?<!${firstCharacter})(?<!${firstCharacter}[.'-]{1,8})${beginsWord}`
const local = String.raw`${firstCharacter}[\p{L}\p{N}._%+'-]`
/** The characters of atoms in RFC 5322, and letters except those of scripts without spaces. */
const atomCharacter = String.raw`[\w.!#$%&'*+/=?^\x60{|}~\u00aa-\u1fff-]`
const label = String.raw`[\p{L}\p{N}-]`
const latin = String.raw`\p{Script=Latin}`
/** A Latin top-level domain ends before letters of other scripts, which may follow without a space. */
const domain = String.raw`${label}(?:${label}|${domainDot}(?=${label})){0,252}${domainDot}(?:${latin}(?:[\p{N}-]|${latin}){0,22}(?:\p{N}|${latin})|(?!${latin})\p{L}[\p{L}\p{N}-]{0,22}[\p{L}\p{N}])`

/** A label of an email address that is spelled out in words. */
const word = String.raw`[\p{L}\p{N}][\p{L}\p{N}-]{0,62}`
const inWords = new RegExp(
  `${notBefore}${local}{0,63}` +
    `(?: {1,3}(?:[dD][oO][tT]|underscore|dash|minus|plus) {1,3}${local}{0,63}|${literalJoin}[\\p{L}\\p{N}._%+-]{1,63}){0,2}` +
    `${anyAt}${word}(?:${anyDot}${word}){1,4}`,
  'u',
)

const letters = String.raw`(?:\s{1,3}${label})`
/** An email address that is spelled letter by letter. */
const letterByLetter = raw.u`${notBefore}[\p{L}\p{N}](?:\s{1,3}[\p{L}\p{N}._%+'-]){1,63}\s{1,3}@${letters}{1,63}(?:\s{1,3}\.${letters}{1,63}){1,4}(?![\p{L}\p{N}])`

/** An email address that is written backwards. */
const backwards =
  /(?=[a-zA-Z]{2,4}\.)(?<![\p{L}\p{N}@._%+-])[a-zA-Z]{2,4}(?:\.[a-zA-Z\d-]{1,63}){1,4}@[\w%+-][\w.%+-]{0,62}[a-zA-Z\d](?![\p{L}\p{N}@])/u
const forwards = /^[a-z\d][\w.%+-]*[a-z][\w.%+-]*@(?:[a-z\d-]{2,}\.)+(?<last>[a-z]+)$/iu
const isReversedEmail = (match: string): boolean =>
  isTopLevelDomain(forwards.exec(Array.from(match).reverse().join(''))?.groups?.['last'] ?? '')

export const email: Recognizer = {
  entity: 'EMAIL_ADDRESS',
  encoded: true,
  patterns: [
    { regex: new RegExp(`${notBefore}${local}{0,255}@${domain}`, 'u'), score: 1 },
    // The end of a longer local part, read backwards from the `@`: a search from the left would start anew at each
    // letter.
    {
      regex: raw.u`@(?<=(?<head>${atomCharacter}{257})@)[a-zA-Z\d-]{1,63}(?:\.[a-zA-Z\d-]{1,63}){0,7}\.[a-zA-Z]{2,24}`,
      // Shorter local parts are covered by the pattern above.
      tail: new RegExp(`${atomCharacter}{64,257}$`, 'u'),
      score: 1,
    },
    { regex: raw.u`"[\p{L}\p{N}][^"\n@]{0,62}"@${domain}`, score: 0.95 },
    {
      regex: raw.iu`${notBefore}${local}{0,31} ?[[({] ?at ?[\])}] ?(?:${label}{1,63}(?:\.| ?[[({] ?dot ?[\])}] ?)){1,6}\p{L}{2,24}`,
      score: 0.9,
    },
    { regex: inWords, score: 0.85, within: spelledEmail(true) },
    { regex: inWords, score: 0.4, within: spelledEmail(false) },
    { regex: letterByLetter, score: 0.9 },
    { regex: backwards, score: 0.85, within: wholeIf(isReversedEmail) },
    { regex: new RegExp(notBefore + tokenized, 'u'), score: 0.9, within: tokenizedEmail },
    {
      regex: new RegExp(`${notBefore}${local}{0,63}${splitSign}${domain}`, 'u'),
      score: 0.9,
      within: wholeIf(isEmailWithSplitSign),
    },
  ],
  ...data,
}
