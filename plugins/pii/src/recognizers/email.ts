import { at, dot, join, spelledMail } from './mail-in-words.js'
import { parted, partedMail, pieced, piecedMail } from './mail-in-pieces.js'
import { isTopLevelDomain } from './data/domains.js'
import { beginsWord } from '../patterns/beside-letters.js'
import type { Pattern, Recognizer } from './recognizer.js'

/** Of domains: an ideographic full stop ends sentences, too. */
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
const turned: NonNullable<Pattern['within']> = (match) => {
  const { last } = forwards.exec(Array.from(match).reverse().join(''))?.groups ?? {}
  return last !== undefined && isTopLevelDomain(last) ? { start: 0, end: match.length } : undefined
}

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
    { regex: backwards, score: 0.85, within: turned },
    { regex: new RegExp(notBefore + pieced, 'u'), score: 0.9, within: piecedMail },
    { regex: new RegExp(`${notBefore}${local}{0,63}${parted}${domain}`, 'u'), score: 0.9, within: partedMail },
  ],
  context: ['mail', 'e-mail', 'email', 'contact', 'write to', 'reach', 'adresse', 'correo', 'courriel'],
  examples: [
    'jane.doe@example.org',
    "mail [o'neil+tag@mail.example.co.uk]",
    '[jane@example.com].',
    'пример@почта.рф',
    'jane (at) example (dot) org',
    'jane.miller@acme。com',
    'jane.miller@acme·com',
    'jane@a.b.c.d.e.f.g.h.i.j.com',
    '"jane miller"@acme.com',
    `${'a'.repeat(90)}.jane.miller@acme.com`,
    `${'a'.repeat(300)}[${'a'.repeat(245)}.jane.miller@acme.com]`,
    '[jane.miller @ acme . com] now',
    'jane.miller@\nacme.com',
    'jane.miller\n@acme.com',
    'jane.miller\r\n@acme.com',
    'jane.miller\n@acme.de',
    'jane.miller at acme dot com',
    'jane.miller AT acme DOT com',
    '[jane dot miller at acme dot com]. Thanks',
    'jane.miller**@**acme.com',
    'jane`@`acme.com',
    'jane.miller{at}acme{dot}de',
    'my e-mail: [jane at acme dot com]',
    '"[jane.miller" + "@acme.com]"',
    "to = '[jane.miller@acme.com]'",
    '- x\n-[jane.miller@acme.com]',
    "'[jane' + '.miller' + '@' + 'acme' + '.com]'",
    '"[jane.miller@" . "acme.com]"',
    '"[jane.miller@acme" ".com]"',
    'jane.miller -at- acme -dot- com',
    'jane.miller-at-acme-dot-com',
    'jane.miller _at_ acme _dot_ com',
    'j a n e . m i l l e r @ a c m e . c o m',
    'to [moc.elpmaxe@nhoj].',
    '[jane@acme.com]です',
    'ku.oc.elpmaxe@nhoj',
    'write to marta. [quillfeather @ brightmoor. org] today.',
    'ask [jane . miller @ acme. com].',
    '[jane . miller @ mail . acme . de] now',
    '[marta _ quillfeather @ brightmoor . org] . next',
    'jane @ acme. com',
    '[jane.miller@@acme.com].',
    '| [jane.miller | @acme.com] |',
  ],
  counterExamples: [
    'a @ b',
    'user@localhost',
    '@example',
    'jane@',
    'one@@two.com',
    '3 @ 4.50',
    'meet me at noon dot',
    'look at the dot com boom',
    'she works at amazon dot com',
    'contact us at acme dot com',
    'import some_lib\n@click.group()',
    'It is nice.\n@acme.com',
    'It is nice\n@acme.com',
    'return some_value\n@app.post',
    'return value_1\n@dataclass.io',
    'y = A @ B.it',
    'stare at red dot in the middle',
    'I looked at example.com',
    'Lunch @ noon. Bring food',
    'lunch @ noon. best regards',
    'that was fun. see you @ noon. it is late',
    '12 eggs @ 3 . 50',
    'jane@@acme.com',
    '| jane | @acme.com |',
    '@@ -1,2 @@acme.run',
    'ask bob@work. My phone is off',
    'thanks @acme.com',
    'at 5 @ 6.pm',
    'look-at-example.com',
    "grant all to 'root'@'db.local'",
    '["core", "@acme.com"]',
    'com.example.app@main',
    'moc.elpmaxe@',
  ],
}
