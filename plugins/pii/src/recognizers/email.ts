import { at, dot, join, spelledMail } from './mail-in-words.js'
import { parted, isPartedMail, pieced, piecedMail } from './mail-in-words.js'
import { isTopLevelDomain } from '../words/domains.js'
import { beginsWord } from '../patterns/beside.js'
import { wholeIf } from '../patterns/spread.js'
import type { Recognizer } from './recognizer.js'
import data from './email.json' with { type: 'json' }

/** A full stop in a domain: an ideographic one ends sentences, too. */
export const domainDot = String.raw`(?:\.|[·。](?=[a-zA-Z\d]))`

const first = String.raw`[\p{L}\p{N}_%+]`
/** Not inside a local part; quotes, dashes and full stops may stand before one. */
const notBefore = String.raw`(?<!${first})(?<!${first}[.'-]{1,8})${beginsWord}`
const local = String.raw`${first}[\p{L}\p{N}._%+'-]`
/** RFC 5322's atoms, and letters up to those of scripts whose sentences have no spaces. */
const mailCharacter = String.raw`[\w.!#$%&'*+/=?^\x60{|}~\u00aa-\u1fff-]`
const label = String.raw`[\p{L}\p{N}-]`
const latin = String.raw`\p{Script=Latin}`
/** What is no Latin letter behind a last label of them is no part of it: other scripts go on without a space. */
const domain = String.raw`${label}(?:${label}|${domainDot}(?=${label})){0,252}${domainDot}(?:${latin}(?:[\p{N}-]|${latin}){0,22}(?:\p{N}|${latin})|(?!${latin})\p{L}[\p{L}\p{N}-]{0,22}[\p{L}\p{N}])`

/** Word by word what a mail address is made of. */
const word = String.raw`[\p{L}\p{N}][\p{L}\p{N}-]{0,62}`
const inWords = new RegExp(
  `${notBefore}${local}{0,63}` +
    `(?: {1,3}(?:[dD][oO][tT]|underscore|dash|minus|plus) {1,3}${local}{0,63}|${join}[\\p{L}\\p{N}._%+-]{1,63}){0,2}` +
    `${at}${word}(?:${dot}${word}){1,4}`,
  'u',
)

/** Letter by letter. */
const letters = String.raw`(?:\s{1,3}${label})`
const spelled = new RegExp(
  String.raw`${notBefore}[\p{L}\p{N}](?:\s{1,3}[\p{L}\p{N}._%+'-]){1,63}\s{1,3}@${letters}{1,63}(?:\s{1,3}\.${letters}{1,63}){1,4}(?![\p{L}\p{N}])`,
  'u',
)

/** Written backwards. */
const backwards =
  /(?=[a-zA-Z]{2,4}\.)(?<![\p{L}\p{N}@._%+-])[a-zA-Z]{2,4}(?:\.[a-zA-Z\d-]{1,63}){1,4}@[\w%+-][\w.%+-]{0,62}[a-zA-Z\d](?![\p{L}\p{N}@])/u
const forwards = /^[a-z\d][\w.%+-]*[a-z][\w.%+-]*@(?:[a-z\d-]{2,}\.)+(?<last>[a-z]+)$/iu
const isTurned = (match: string): boolean =>
  isTopLevelDomain(forwards.exec(Array.from(match).reverse().join(''))?.groups?.['last'] ?? '')

export const email: Recognizer = {
  entity: 'EMAIL_ADDRESS',
  encoded: true,
  patterns: [
    { regex: new RegExp(`${notBefore}${local}{0,255}@${domain}`, 'u'), score: 1 },
    // The end of a longer local part, from the sign on: from each of its letters, it would be read anew. Sets of all letters take much code.
    {
      regex: new RegExp(
        String.raw`@(?<=(?<head>${mailCharacter}{257})@)[a-zA-Z\d-]{1,63}(?:\.[a-zA-Z\d-]{1,63}){0,7}\.[a-zA-Z]{2,24}`,
        'u',
      ),
      // what is shorter is held as the beginning of the pattern before
      tail: new RegExp(`${mailCharacter}{64,257}$`, 'u'),
      score: 1,
    },
    { regex: new RegExp(String.raw`"[\p{L}\p{N}][^"\n@]{0,62}"@${domain}`, 'u'), score: 0.95 },
    {
      regex: new RegExp(
        String.raw`${notBefore}${local}{0,31} ?[[({] ?at ?[\])}] ?(?:${label}{1,63}(?:\.| ?[[({] ?dot ?[\])}] ?)){1,6}\p{L}{2,24}`,
        'iu',
      ),
      score: 0.9,
    },
    { regex: inWords, score: 0.85, within: spelledMail(true) },
    { regex: inWords, score: 0.4, within: spelledMail(false) },
    { regex: spelled, score: 0.9 },
    { regex: backwards, score: 0.85, within: wholeIf(isTurned) },
    { regex: new RegExp(notBefore + pieced, 'u'), score: 0.9, within: piecedMail },
    {
      regex: new RegExp(`${notBefore}${local}{0,63}${parted}${domain}`, 'u'),
      score: 0.9,
      within: wholeIf(isPartedMail),
    },
  ],
  ...data,
}
