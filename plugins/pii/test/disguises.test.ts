import type { ReplaceMethod } from '@sallyport/core'
import { expect } from 'chai'
import { exampleOf } from '../src/custom/examples.js'
import { recognizers } from '../src/recognizers/index.js'
import { callOf, described, detectorOf, findingsIn } from './support.js'

const detector = detectorOf()
const [mail, card, ssn, iban] = ['jane.miller@acme.com', '4111111111111111', '078-05-1120', 'DE89370400440532013000']

const each = (text: string, mark: string) => Array.from(text, (character) => character + mark).join('')
const from = (first: number) => Array.from(card, (digit) => String.fromCodePoint(first + Number(digit))).join('')
const base64 = (text: string) => Buffer.from(text).toString('base64')
const groups = ['4111', '1111', '1111', '1111']
const pieces = (text: string, length: number, cut: string) =>
  (base64(text).match(new RegExp(`.{1,${length}}`, 'g')) ?? []).join(cut)

/** Each stands in a text as it is; others are examples of the recognisers. */
const disguises: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  EMAIL_ADDRESS: [
    ['a mark before the sign', 'jane.miller\u0332@acme.com'],
    ['underlined letters', each(mail, '\u0332')],
    ['variation selectors', each(mail, '\ufe00')],
    ['marks of other scripts', each(mail, '\u0e31')],
    ['full-width signs', 'jane．miller＠acme．com'],
    ['letters in circles', '🅙🅐🅝🅔.🅜🅘🅛🅛🅔🅡@acme.com'],
    ['small capitals', 'ᴊᴀɴᴇ.ᴍɪʟʟᴇʀ@ᴀᴄᴍᴇ.ᴄᴏᴍ'],
    ['words in brackets', 'jane.miller (at) acme [dot] com'],
    ['ten labels', 'jane.miller@a.b.c.d.e.f.g.h.i.com'],
    ['base64', base64(`my mail is ${mail}`)],
    ['control characters', each(mail, '\0').slice(0, -1)],
    ['a backspace before the sign', 'jane.miller\b@acme.com'],
    ['an escape in the domain', 'jane.miller@ac\x1bme.com'],
    ['a blank of Braille before the sign', 'jane.miller\u2800@acme.com'],
    ['a broken character', 'jane.miller\ufffd@acme.com'],
    ['a tone of skin', 'jane.miller\u{1f3fb}@acme.com'],
    ['what stands for an object', 'jane.miller\ufffc@acme.com'],
    ['a private character', 'jane.mil\ue000ler@acme.com'],
    ['no character', 'jane.mil\ufdd0ler@acme.com'],
    ['a character that does not exist yet', 'jane.miller@\u0378acme.com'],
    ['quotes around it', "'jane.miller@acme.de'"],
    ['a dash before it', '-jane.miller@acme.de'],
    ['base64 with blanks', pieces(`my mail is ${mail}`, 8, ' ')],
    ['base64 with many blanks', pieces(`my mail is ${mail}`, 4, ' ')],
    ['base64 of an address with blanks', pieces(mail, 5, ' ')],
    ['base64 in strings', `"${pieces(`my mail is ${mail}`, 20, '" + "')}"`],
    ['emphasis in base64', base64('jane.miller@ac**m**e.com')],
    ['invisible characters in base64', base64('jane\u00ad.miller@ac\u200bme.com')],
    ['full-width letters in base64', base64('ｊａｎｅ．ｍｉｌｌｅｒ＠ａｃｍｅ．ｃｏｍ')],
    ['an entity between full-width letters in base64', base64('ｊａｎｅ．ｍｉｌｌｅｒ&#64;ａｃｍｅ．ｃｏｍ')],
    ['base64 of URLs', Buffer.from(`>>> my mail?? is ${mail}`).toString('base64url')],
  ],
  CREDIT_CARD: [
    ['marks', each(card, '\u0332')],
    ['a mark in the middle', '4111\u0332 1111 1111 1111'],
    ['keycaps', each(card, '\ufe0f\u20e3')],
    ['white digits in circles', from(0x2775)],
    ['digits in two circles', from(0x24f4)],
    ['digits in brackets', from(0x2473)],
    ['digits with full stops', from(0x2487)],
    ['full-width digits in base64', base64('４１１１ １１１１ １１１１ １１１１')],
    ['invisible characters in base64', base64(groups.join('\u200b'))],
    ['ends of lines of Windows', groups.join('\r\n')],
    ['underscores', groups.join('_')],
    ['slashes', groups.join('/')],
    ['emphasis', '4111 **1111** 1111 **1111**'],
    ['strings of JSON', '["4111",1111,1111,1111]'],
    ['strings of Python', "['4111', '1111', '1111', '1111']"],
    ['control characters', groups.join('\u0007')],
    ['private characters', each(card, '\ue000').slice(0, -1)],
    ['plus signs', groups.join('+')],
    ['tildes', groups.join('~')],
    ['strings that are put together', "'4111' + '1111' + '1111' + '1111'"],
    ['another sign and fewer groups', '3782→822463→10005'],
    ['base64 in lines', pieces(`card ${groups.join(' ')}`, 10, '\n')],
    ['strings of SQL', "'4111' || '1111' || '1111' || '1111'"],
    ['base64', base64(`card ${groups.join(' ')}`)],
  ],
  US_SSN: [
    ['keycaps', '0️⃣7️⃣8️⃣-0️⃣5️⃣-1️⃣1️⃣2️⃣0️⃣'],
    ['marks', each(ssn, '\u0336')],
    ['base64', base64(`SSN ${ssn}`)],
  ],
  IBAN_CODE: [
    ['underscores', 'DE89_3704_0044_0532_0130_00'],
    ['arrows', 'DE89→3704→0044→0532→0130→00'],
    ['control characters', each(iban, '\x7f').slice(0, -1)],
    ['base64 with blanks', pieces(`to ${iban}`, 8, ' ')],
    ['slashes', 'DE89/3704/0044/0532/0130/00'],
    ['emphasis', 'DE89 **3704** 0044 **0532** 0130 00'],
    ['marks', each(iban, '\u0332')],
    ['letters for zeros', 'DE8937O400440532O13OOO'],
    ['base64', base64(`to ${iban}`)],
  ],
}

const inContext: readonly (readonly [string, string, string])[] = [
  ['CREDIT_CARD', 'Visa: ', '4111 1111\n1111 1111'],
  ['CREDIT_CARD', 'card ', '41/11/11/11/11/11/11/11'],
  ['US_SSN', 'social security number\n', '078\n05\n1120'],
  ['US_SSN', 'SSN ', '078 | 05 | 1120'],
]

/** Cards with more than signs between their groups: what is found, and that a fake keeps what stands between them. */
const linked: readonly (readonly [name: string, before: string, found: string, after: string])[] = [
  ['cells of HTML', '<td>', '4111</td><td>1111</td><td>1111</td><td>1111', '</td>'],
  [
    'cells of HTML with a class',
    '<td class="n">',
    ['4012', '8888', '8888', '1881'].join('</td>\n<td class="n">'),
    '</td>',
  ],
  ['fields of a form', 'a=', '4111&b=1111&c=1111&d=1111', ''],
  ['parts that are counted', 'part1: ', '4111, part2: 1111, part3: 1111, part4: 1111', '.'],
  ['fields of JSON', '{"a":"', '4111","b":"1111","c":"1111","d":"1111', '"}'],
  ['calls', '"', '4111".concat("1111").concat("1111").concat("1111', '")'],
  ['cents behind it', 'pay ', '4111111111111111', '.00 now'],
  ['a power of ten', 'pay ', '4.111111111111111E+15', ' now'],
]

/** Letters and digits as they are read, without what parts them. */
const compact = (text: string) => text.normalize('NFKC').replace(/[^\p{L}\p{N}]/gu, '')

/**
 * All that is written in some other way than usual, by its type; fakes of
 * addresses are at example domains, too, and the names of fields stay.
 */
const written: readonly (readonly [type: string, text: string])[] = [
  ...Object.entries(disguises).flatMap(([type, cases]) => cases.map(([, text]) => [type, text] as const)),
  ...recognizers
    .filter(({ entity }) => entity in disguises)
    .flatMap(({ entity, examples }) => examples.map((example) => [entity, exampleOf(example).text] as const))
    .filter(([, text]) => !/example|[=:]|concat/i.test(text)),
]

describe('what is disguised', () => {
  for (const [type, cases] of Object.entries(disguises))
    for (const [name, text] of cases)
      it(`is found with ${name}: ${type}`, async () => {
        const whole = `Please note this for me: ${text} and thank you.`
        const found = (await described(whole)).filter((one) => one.startsWith(`${type} `))
        expect(found).to.have.length(1)
        expect(text).to.include(found[0]?.slice(type.length + 1))
        expect(compact(found[0]?.slice(type.length + 1) ?? '').length).to.be.at.least(
          compact(text).length - (text.startsWith('12 ') ? 2 : 0),
        )
      })

  for (const [type, before, text] of inContext)
    it(`is found as ${type} behind ${JSON.stringify(before)}: ${JSON.stringify(text)}`, async () => {
      expect(await described(`${before}${text}. Thanks`)).to.include(`${type} ${text}`)
    })

  for (const [name, before, found, after] of linked)
    it(`is found with ${name}: CREDIT_CARD`, async () => {
      const text = before + found + after
      const findings = await findingsIn(text)
      expect(findings.map(({ type, start, end }) => `${type} ${text.slice(start, end)}`)).to.deep.equal([
        `CREDIT_CARD ${found}`,
      ])
      const request = { text, findings: [...findings], method: 'fake' as const }
      const { text: replaced } = await detector.replace(request, callOf({ tenant: 'tenant' }))
      expect(replaced).to.not.equal(text)
      expect(replaced.replace(/\d/g, '0')).to.equal(text.replace(/\d/g, '0'))
      expect(await described(replaced)).to.have.length(1)
    })

  for (const method of ['fake', 'random'] as const satisfies ReplaceMethod[])
    it(`is gone, all of it, where it is replaced: ${method}`, async () => {
      for (const [type, text] of written) {
        const [finding] = (await findingsIn(text)).filter((one) => one.type === type)
        const original = text.slice(finding?.start, finding?.end)
        const findings = [{ type, start: 0, end: original.length, score: 1 }]
        const request = { text: original, findings, method }
        const { text: replaced } = await detector.replace(request, callOf({ tenant: 'tenant' }))
        const [rest, all] = [compact(replaced), compact(original)]
        const kept = type === 'CREDIT_CARD' ? 6 : type === 'US_SSN' ? 3 : 4
        for (let at = 0; at + kept < all.length && /^[\x20-\x7e\n]*$/.test(original); at += 1)
          expect(rest, text).to.not.include(all.slice(at, at + kept + 1))
      }
    })
})

const rows = (count: number, row: (index: number) => string) => Array.from({ length: count }, (_, at) => row(at))

/** Nothing in them is a card, an IBAN, a social security number or a mail address. */
const ordinary: Readonly<Record<string, string>> = {
  'a list of numbers of four digits': rows(200, (at) => String(4000 + at * 7)).join('\n'),
  'a list in JSON': JSON.stringify(rows(200, (at) => String(5100 + at * 3))),
  'a row of a matrix': rows(400, (at) => String((at * at) % 10)).join(' , '),
  'a table of measurements': rows(
    60,
    (at) => `| ${at} | ${4100 + at} | ${(at * 1.37).toFixed(4)} | ${5000 + at} |`,
  ).join('\n'),
  'a phone list': rows(40, (at) => `Office ${at}: 6${500 + at} ${3400 + at * 11}`).join('\n'),
  'a list of phone numbers': rows(40, (at) => `4${100 + at} ${1100 + at * 11}`).join('\n'),
  'lines of a log': rows(
    60,
    (at) =>
      `2024-03-${String((at % 28) + 1).padStart(2, '0')} 10:20:${String(at % 60).padStart(2, '0')}.${411 + at} pid=${4111 + at} took ${at * 13} ms, 536 of 22 in 1234`,
  ).join('\n'),
  versions: rows(60, (at) => `v${at}.${at % 10}.${at % 7} (build ${4111 + at}.${1111 + at}.1111.${1112 + at})`).join(
    '\n',
  ),
  'numbers of books': 'ISBN 978-3-16-148410-0, ISBN 0-306-40615-2, ISSN 2049-3630, EAN 4006381333931',
  'numbers of orders': rows(60, (at) => `order ${400 + at}-22-${400 + at * 3}/${at}`).join('\n'),
  code: 'const a = [4111, 1111, 1111, 1112, 1113]\nfor (let i = 0; i < 4096; i++) x[i] = 0x4111 ^ 0b1111\nsum(536, 22, 1234)',
  'addresses of networks': '2001:4860:4860:8888:4111:1111:1111:1111, 10.11.12.13/24, 00:1A:2B:3C:4D:5E',
  hashes: 'da39a3ee5e6b4b0d3255bfef95601890afd80709, 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'base64 of other things': base64('Nothing here is about anyone, 4111 times in 1111 words. '.repeat(20)),
  'long words and paths':
    'node_modules/@types/some-long-package-name/dist/esm/internationalization.js antidisestablishmentarianism',
  'tables of numbers of four digits': ['\t', ' | ', ', ', ' → ', ' ~ ', '; ', ' + ']
    .map((sign) =>
      rows(200, (at) => rows(4, (column) => String(1000 + ((at * 7919 + column * 104729) % 9000))).join(sign)),
    )
    .map((lines) => lines.join('\n'))
    .join('\nThis is another table.\n'),
  'a matrix of digits': [',', '|', ' | ', '  ', '\t']
    .map((sign) =>
      rows(100, (at) => rows(16, (column) => String((at * at * 31 + column * 7 + (at ^ column)) % 10)).join(sign)),
    )
    .map((lines) => lines.join('\n'))
    .join('\nThis is another matrix.\n'),
  'a column of digits': rows(500, (at) => String((at * at * 31 + at * 7) % 10)).join('\n'),
  'sums of numbers of four digits': rows(
    200,
    (at) => `${4000 + at * 7} + ${1000 + at * 3} + ${2000 + at * 11} + ${3000 + at} = ${10000 + at * 22}`,
  ).join('\n'),
  'numbers of parts of a text': rows(200, (at) => `${at + 1}. ${4000 + at * 7}`).join('\n'),
  'amounts of money': rows(200, (at) => `$${(4e15 + at * 7_654_321_987_651).toLocaleString('en-US')} and more`).join(
    '\n',
  ),
  dates: rows(40, (at) => `${2000 + at}/${(at % 12) + 1}/${(at % 28) + 1}`).join(', '),
  coordinates: '52.5200, 13.4050; 4111.1111, 1111.1111; 5212.3411, 1324.5512',
  'talk of places and times':
    'Meet me at noon dot. Look at this dot com bubble. He arrived at 5 @ the station . com is an ending. We looked at example.com, at 12 in 20 minutes.',
  'talk of companies': 'She works at amazon dot com. He was at a dot com party, and stared at red dot in the middle.',
  handles: 'Thanks @jane.doe and @acme! Install @angular/core@17.0.1 or @babel/core.',
}

describe('ordinary texts', () => {
  for (const [name, text] of Object.entries(ordinary))
    it(`are left alone: ${name}`, async () => {
      const found = (await described(text)).filter((one) =>
        /^(?:CREDIT_CARD|IBAN_CODE|US_SSN|EMAIL_ADDRESS) /.test(one),
      )
      expect(found).to.deep.equal([])
    })

  for (const [name, text] of Object.entries(ordinary))
    it(`can be cut within a thousand characters: ${name}`, async () => {
      const long = text.repeat(Math.ceil(4000 / text.length)).slice(0, 4000)
      const { spans } = await detector.openSpans({ text: long }, callOf())
      for (const { start, end } of spans) if (end < long.length) expect(end - start).to.be.below(1000)
    })
})
