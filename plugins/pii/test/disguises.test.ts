import type { ReplaceMethod } from '@sallyport/core'
import { expect } from 'chai'
import { exampleOf } from '../src/custom/examples.js'
import { recognizers } from '../src/recognizers/index.js'
import { callOf, described, detectorOf, findingsIn } from './support.js'

const detector = detectorOf()
const [mail, card, ssn, iban] = ['jane.miller@acme.com', '4111111111111111', '219-45-6789', 'DE49374121111111113869']

const grouped: Readonly<Record<string, string>> = {
  CREDIT_CARD: '4111 1111 1111 1111',
  IBAN_CODE: 'DE89 3704 0044 0532 0130 00',
}
const base64 = (text: string) => Buffer.from(text).toString('base64')
const pieces = (text: string, length: number, cut: string) =>
  (base64(text).match(new RegExp(`.{1,${length}}`, 'g')) ?? []).join(cut)

/** What is looked for in every way below: its digits hold no zero, which many kinds of digits lack. */
const usual: Readonly<Record<string, string>> = {
  EMAIL_ADDRESS: mail,
  CREDIT_CARD: card,
  IBAN_CODE: iban,
  US_SSN: ssn,
  PHONE_NUMBER: '+1 415 555 2671',
  IP_ADDRESS: '84.171.33.25',
  CRYPTO: '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
  US_ITIN: '912-73-1234',
  ES_NIF: '12345678Z',
  IN_AADHAAR: '2345 6789 1123',
  IT_FISCAL_CODE: 'MRTMTT91D28F215M',
}

const digits = (first: number) => (text: string) =>
  text.replace(/\d/g, (one) => String.fromCodePoint(first + Number(one)))
/** Capitals, and 26 characters behind them the small letters. */
const letters = (first: number) => (text: string) =>
  text
    .replace(/[A-Z]/g, (one) => String.fromCodePoint(first + one.charCodeAt(0) - 65))
    .replace(/[a-z]/g, (one) => String.fromCodePoint(first + 26 + one.charCodeAt(0) - 97))
const between = (mark: string) => (text: string) => Array.from(text).join(mark)
const inTheMiddle = (mark: string) => (text: string) => {
  const middle = Math.floor(text.length / 2)
  return text.slice(0, middle) + mark + text.slice(middle)
}
const fullWidth = (text: string) => text.replace(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0))

const ways: Readonly<Record<string, (text: string) => string>> = {
  'a mark': inTheMiddle('\u0332'),
  'underlined letters': between('\u0332'),
  'struck letters': between('\u0336'),
  'variation selectors': between('\ufe00'),
  'marks of other scripts': between('\u0e31'),
  keycaps: (text) => text.replace(/\d/g, '$&\ufe0f\u20e3'),
  'full-width characters': fullWidth,
  'letters in circles': letters(0x24b6),
  'bold letters': letters(0x1d400),
  'white digits in circles': digits(0x2775),
  'digits in two circles': digits(0x24f4),
  'digits in brackets': digits(0x2473),
  'digits with full stops': digits(0x2487),
  'bold digits': digits(0x1d7ce),
  'control characters': between('\0'),
  'deleting characters': between('\x7f'),
  bells: between('\u0007'),
  'a backspace': inTheMiddle('\b'),
  'an escape': inTheMiddle('\x1b'),
  'a broken character': inTheMiddle('\ufffd'),
  'a tone of skin': inTheMiddle('\u{1f3fb}'),
  'what stands for an object': inTheMiddle('\ufffc'),
  'a private character': inTheMiddle('\ue000'),
  'private characters': between('\ue000'),
  'no character': inTheMiddle('\ufdd0'),
  'a character that does not exist yet': inTheMiddle('\u0378'),
  'characters without width': between('\u200b'),
  'soft hyphens': between('\u00ad'),
  'quotes around it': (text) => `'${text}'`,
}

/** What is looked for in base64, too: it has a strict form or a checksum. */
const inBase64 = ['EMAIL_ADDRESS', 'CREDIT_CARD', 'IBAN_CODE', 'US_SSN']
const ofBase64: Readonly<Record<string, (text: string) => string>> = {
  '': (text) => base64(`my own is ${text}`),
  ' with blanks': (text) => pieces(`my own is ${text}`, 8, ' '),
  ' with many blanks': (text) => pieces(`my own is ${text}`, 4, ' '),
  ' of nothing else, with blanks': (text) => pieces(text, 5, ' '),
  ' in lines': (text) => pieces(`my own is ${text}`, 10, '\n'),
  ' in strings': (text) => `"${pieces(`my own is ${text}`, 16, '" + "')}"`,
  ' of URLs': (text) => Buffer.from(`>>> my own?? is ${text}`).toString('base64url'),
  ' of emphasis': (text) => base64(`${text.slice(0, 5)}**${text.slice(5, 9)}**${text.slice(9)}`),
  ' of invisible characters': (text) => base64(between('\u200b')(text)),
  ' of full-width characters': (text) => base64(fullWidth(text)),
}

/** What parts the groups of a number. */
const parted: readonly (readonly [mark: string, types: readonly string[]])[] = [
  ...['_', '→', '~'].map((mark) => [mark, ['CREDIT_CARD', 'IBAN_CODE', 'US_SSN']] as const),
  ...['/', '+', '\r\n', ' + '].map((mark) => [mark, ['CREDIT_CARD', 'IBAN_CODE']] as const),
  ["' + '", ['CREDIT_CARD', 'IBAN_CODE']],
  ["' || '", ['CREDIT_CARD', 'IBAN_CODE']],
  ['", "', ['CREDIT_CARD', 'IBAN_CODE']],
  ['/', ['PHONE_NUMBER', 'IN_AADHAAR']],
  ['_', ['IN_AADHAAR']],
]

/** Each stands in a text as it is; others are examples of the recognisers. */
const special: readonly (readonly [type: string, name: string, text: string])[] = [
  ['EMAIL_ADDRESS', 'letters in black circles', '🅙🅐🅝🅔.🅜🅘🅛🅛🅔🅡@acme.com'],
  ['EMAIL_ADDRESS', 'small capitals', 'ᴊᴀɴᴇ.ᴍɪʟʟᴇʀ@ᴀᴄᴍᴇ.ᴄᴏᴍ'],
  ['EMAIL_ADDRESS', 'words in brackets', 'jane.miller (at) acme [dot] com'],
  ['EMAIL_ADDRESS', 'ten labels', 'jane.miller@a.b.c.d.e.f.g.h.i.com'],
  ['EMAIL_ADDRESS', 'a blank of Braille before the sign', 'jane.miller\u2800@acme.com'],
  ['EMAIL_ADDRESS', 'a mark before the sign', 'jane.miller\u0332@acme.com'],
  ['EMAIL_ADDRESS', 'a backspace before the sign', 'jane.miller\b@acme.com'],
  ['EMAIL_ADDRESS', 'a broken character before the sign', 'jane.miller\ufffd@acme.com'],
  ['EMAIL_ADDRESS', 'a tone of skin before the sign', 'jane.miller\u{1f3fb}@acme.com'],
  ['EMAIL_ADDRESS', 'what stands for an object before the sign', 'jane.miller\ufffc@acme.com'],
  ['EMAIL_ADDRESS', 'a dash before it', '-jane.miller@acme.de'],
  ['EMAIL_ADDRESS', 'an entity in base64', base64('ｊａｎｅ．ｍｉｌｌｅｒ&#64;ａｃｍｅ．ｃｏｍ')],
  ['CREDIT_CARD', 'emphasis', '4111 **1111** 1111 **1111**'],
  ['CREDIT_CARD', 'a list of Python', "['4111', '1111', '1111', '1111']"],
  ['CREDIT_CARD', 'numbers of JSON', '["4111",1111,1111,1111]'],
  ['CREDIT_CARD', 'another sign and fewer groups', '3782→822463→10005'],
  ['IBAN_CODE', 'emphasis', 'DE89 **3704** 0044 **0532** 0130 00'],
  ['IBAN_CODE', 'letters for zeros', 'DE8937O400440532O13OOO'],
]

const disguises: readonly (readonly [type: string, name: string, text: string])[] = [
  ...Object.entries(ways).flatMap(([name, write]) =>
    Object.entries(usual)
      .map(([type, text]) => [type, name, write(text)] as const)
      .filter(([type, , text]) => text !== usual[type]),
  ),
  ...Object.entries(ofBase64).flatMap(([name, write]) =>
    inBase64.map((type) => [type, `base64${name}`, write(usual[type] ?? '')] as const),
  ),
  ...parted.flatMap(([mark, types]) =>
    types.map(
      (type) => [type, JSON.stringify(mark), (grouped[type] ?? usual[type] ?? '').replace(/[ -]/g, mark)] as const,
    ),
  ),
  ...special,
]

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
  ...disguises.map(([type, , text]) => [type, text] as const),
  ...recognizers
    .filter(({ entity }) => inBase64.includes(entity))
    .flatMap(({ entity, examples }) => examples.map((example) => [entity, exampleOf(example).text] as const))
    .filter(([, text]) => !/example|[=:]|concat/i.test(text)),
]

describe('what is disguised', () => {
  for (const [type, name, text] of disguises)
    it(`is found with ${name}: ${type}`, async () => {
      const found = (await described(`Please note this for me: ${text} and thank you.`))
        .filter((one) => one.startsWith(`${type} `))
        .map((one) => one.slice(type.length + 1))
      expect(found).to.have.length(1)
      expect(text).to.include(found[0])
      expect(compact(found[0] ?? '').length).to.be.at.least(compact(text).length)
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
        const [finding, ...others] = (await findingsIn(text)).filter((one) => one.type === type)
        if (!finding || others.length) throw new Error(`${type} is not found once: ${text}`)
        const { start, end } = finding
        const request = { text, findings: [finding], method }
        const { text: replaced } = await detector.replace(request, callOf({ tenant: 'tenant' }))
        const original = text.slice(start, end)
        const [rest, all] = [compact(replaced.slice(start, replaced.length - text.length + end)), compact(original)]
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
