/** Personal information that is written so that nobody sees it at once, through the chain. */

import { chat } from '@sallyport/core'
import type { Kernel, ReplaceMethod } from '@sallyport/core'
import { createKernel } from '@sallyport/kernel'
import { splitIntoChunks, scriptPlugin, scriptRequest } from '@sallyport/testing'
import { expect } from 'chai'
import fc from 'fast-check'
import plugin from '../src/index.js'

const methods: readonly ReplaceMethod[] = ['random', 'fake', 'category', 'mask']
const check = { threshold: 0.5, budget: 60_000 }
const replacing = (method: ReplaceMethod, window?: 'answer') => ({
  output: { pii: { ...check, action: 'replace' as const, method, ...(window && { window }) } },
})

const [mail, local, card, iban, ssn, phone] = [
  'zebulon.quark@corvidpost.org',
  'zebulon',
  '4111 1111 1111 1111',
  'DE89370400440532013000',
  '078-05-1120',
  '+1 415 555 2671',
]

const each = (text: string, write: (code: string) => string) =>
  Array.from(text, (character) => write(character.charCodeAt(0).toString(16).padStart(2, '0'))).join('')
/** Digits and small letters in bold, each as `write` writes its code point. */
const mathematical = (text: string, write: (code: number) => string) =>
  text.replace(/[a-z\d]/g, (one) => write((one < 'a' ? 0x1d7ce - 48 : 0x1d41a - 97) + one.charCodeAt(0)))
const hex = (text: string, between = '', before = '') =>
  each(text, (code) => `${between}${before}${code}`).slice(between.length)
const base64 = (text: string) => Buffer.from(text).toString('base64')
const utf7 = (text: string) => `+${Buffer.from(text, 'utf16le').swap16().toString('base64').replace(/=+$/, '')}-`
const withSign = (sign: string) => mail.replace('@', sign)

const hidden: Readonly<Record<string, readonly string[]>> = {
  'emphasis in an address': [
    'zebulon.quark@corvid**post**.org',
    'zebulon.quark@corvid**post.org',
    'zebulon.*quark*@corvidpost.org',
    'z***ebulon***.quark@corvidpost.org',
    'zebulon.quark@~~corvid~~post.org',
    'zebulon.quark@`corvid`post.org',
    'zebulon.quark@corvid_post_.org',
    'zebulon.quark@__corvid__post.org',
  ],
  'emphasis in a number': [
    '41**11** 1111 1111 1111',
    '4111~~1111~~11111111',
    '41`11`111111111111',
    'DE89**3704**00440532013000',
    '07**8**-05-1120',
    '078-~~05~~-1120',
    '+1 415 **555** 2671',
    '+1 4*15* 555 2671',
    '+1 415 _555_ 2671',
    '**+1 415** 555 2671',
  ],
  'halves of surrogate pairs': [
    'zebulon.quark\ud800@corvidpost.org',
    'zebu\udc00lon.quark@corvidpost.org',
    '4111 1111\ud800 1111 1111',
  ],
  elements: [
    'zebulon.quark@corvid<mark>post</mark>.org',
    'zebulon.quark@corvid<a href="x">post</a>.org',
    'zebulon.quark<!-- x -->@corvidpost.org',
    '4111 11<b>11</b> 1111 1111',
    '+1 415 <b>555</b> 2671',
    'DE8937<b>04</b>00440532013000',
    ...[
      '<B></B>',
      '<FONT COLOR="red"></FONT>',
      '<SPAN\tid=x></SPAN>',
      '<wbr/>',
      '<b title=">"></b>',
      '<!-- a > b -->',
    ].flatMap((tag) => [`41111111${tag}11111111`, `zebulon.quark@corvid${tag}post.org`]),
  ],
  'colours, highlights and code': [
    '41111111\u001b[0m11111111',
    'zebulon.quark\u001b[1;31m@corvidpost.org',
    'zebulon\\033[1m.quark@corvid\\033[0mpost.org',
    '4111==1111==11111111',
    'zebulon.quark@corvid==post==.org',
    '`41111111``11111111`',
    '`zebulon.``quark@corvid``post.org`',
  ],
  hexadecimal: [
    ...[mail, card, iban, ssn, phone].map((text) => hex(text)),
    hex(mail).toUpperCase(),
    `0x${hex(mail)}`,
    hex(mail, ' '),
    hex(mail, ':'),
    hex(mail, '-'),
    hex(mail, ' ', '0x'),
    hex(mail, ', ', '0x'),
    hex(mail, '', '\\x'),
    hex(ssn, ' '),
    hex(card, ', ', '0x'),
  ],
  'escapes of signs': [
    ...[
      '%u0040',
      '%U0040',
      '\\N{COMMERCIAL AT}',
      '\\N{commercial at}',
      '\\N{U+0040}',
      '\\N{U+40}',
      'U+0040',
      '+AEA-',
      '\\40 ',
      '\\40',
      '\\040',
    ],
    ...[
      '\\0040 ',
      '\\000040',
      '\\000040 ',
      '\\x{40}',
      '\\u{000040}',
      '\\U00000040',
      '\\u0040',
      '%40',
      '%2540',
      '&#x40;',
    ],
  ].map(withSign),
  'escapes of all': [
    each(mail, (code) => `%u00${code}`),
    each(mail, (code) => `&#x${'0'.repeat(40)}${code};`),
    each(card, (code) => `${'\\'.repeat(64)}u00${code}`),
    each(mail, (code) => `\\${code} `),
    `${each(mail, (code) => `\\0000${code}`)} `,
    each(mail, (code) => `\\N{U+00${code}}`),
    utf7(mail),
    utf7(ssn),
    ssn.replaceAll('-', '+AC0-'),
    ssn.replaceAll('-', '\\2d '),
    ...[mail, card, iban, ssn, phone].map((text) =>
      Array.from(text, (one) => `\\${one.charCodeAt(0).toString(8)}`).join(''),
    ),
    mail.replaceAll('.', '\\56'),
    ssn.replaceAll('-', '\\55'),
  ],
  'characters beyond the first plane': [mail, `(${card})`].flatMap((text) => [
    mathematical(text, (code) => `&#x${code.toString(16)};`),
    mathematical(text, (code) => `&#${code};`),
    mathematical(text, (code) => `\\u{${code.toString(16)}}`),
    mathematical(text, (code) => encodeURIComponent(String.fromCodePoint(code))),
  ]),
  mail: [
    mail.replace('@', '=40').replaceAll('.', '=2E'),
    mail.replace('@', '=40').replaceAll('.', '=2e'),
    `=?utf-8?Q?${mail.replace('@', '=40').replaceAll('.', '=2E')}?=`,
    ssn.replaceAll('-', '=2D'),
    ...['%40', '&#64;', '\\40 ', '\\x40', '\\100', '=40', '@'].map((sign) => withSign(`=\n${sign}`)),
    withSign('=40=\n'),
    '4111 1111 11=\n&#49;1 1111',
  ],
  'two of them': [
    hex(encodeURIComponent(mail)),
    hex(base64(`my address is ${mail}`)),
    encodeURIComponent(base64(`my address is ${mail}`)),
    base64(`my address is ${encodeURIComponent(mail)}`),
    base64(`my address is ${hex(mail)}`),
    encodeURIComponent(hex(mail, ' ')),
    JSON.stringify(withSign('\\40 ')).slice(1, -1),
    withSign('\\u005c000040'),
    '\\u007aebulon.quark@corvid**post**.org',
  ],
  'a local part without an end': [
    `${'a'.repeat(200)}.${mail}`,
    `${'a'.repeat(400)}.${mail}`,
    `${'ab.'.repeat(300)}${mail}`,
  ],
}

const all = Object.values(hidden).flat()
/** What tells who it is, and the longest parts of numbers that may be seen. */
const telling = [
  local,
  'quark',
  'corvid',
  '4111 11',
  '37040044',
  '78-05',
  '415 555',
  hex('zebulon'),
  hex('zebulon', ' '),
]

describe('what is hidden', function () {
  this.timeout(300_000)
  let kernel: Kernel
  before(async () => {
    const policies = {
      block: { output: { pii: { ...check, action: 'block' as const, ignore: ['URL'] } } },
      ...Object.fromEntries(
        methods.flatMap((method) => [
          [method, replacing(method)],
          [`${method}-whole`, replacing(method, 'answer')],
        ]),
      ),
    }
    const options = { key: 'a key of sixteen' }
    kernel = await createKernel({
      plugins: [scriptPlugin, plugin],
      models: { pii: { backend: 'pii', options } },
      policies,
    })
  })
  after(() => kernel.stop())

  const unstreamed = async (text: string, policy: string): Promise<string> => {
    const { choices } = await kernel.get(chat).generate(scriptRequest([text]), { policies: [policy] })
    return choices[0]?.text ?? ''
  }
  const streamed = async (chunks: readonly string[], policy: string): Promise<string> => {
    let said = ''
    for await (const piece of kernel.get(chat).stream(scriptRequest(chunks), { policies: [policy] }))
      if ('delta' in piece) said += piece.delta
    return said
  }
  const outcome = (answer: Promise<string>) => answer.catch((error: unknown) => (error as Error).message)

  for (const [what, texts] of Object.entries(hidden)) {
    it(`is blocked: ${what}`, async () => {
      for (const text of texts)
        expect(await outcome(unstreamed(`Write to ${text} today.`, 'block')), text).to.equal('pii detected')
    })

    it(`is replaced, all of it, in what stands around it: ${what}`, async () => {
      for (const text of texts)
        for (const method of methods) {
          const said = await unstreamed(`Write to ${text} today.`, method)
          expect(said, text).to.match(/^Write to .* today\.$/s)
          for (const part of telling) expect(said.slice(9), `${method}: ${text}`).to.not.include(part)
        }
    })
  }

  it('is replaced in a stream as in the whole, wherever that is cut', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.constantFrom(...all), fc.lorem({ maxCount: 12 })), {
          minLength: 1,
          maxLength: 8,
        }),
        fc.constantFrom(' ', '. ', ', ', '\n'),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 }),
        async (parts, between, sizes) => {
          const text = parts.join(between)
          const said = await streamed(splitIntoChunks(text, sizes), 'category')
          expect(said).to.equal(await unstreamed(text, 'category'))
          expect(said).to.equal(await unstreamed(text, 'category-whole'))
        },
      ),
      {
        numRuns: 60,
        // Base64 that looks like a broken line of mail, before an escape.
        examples: [
          [
            [base64(`my address is ${encodeURIComponent(mail)}`), '\\64\\61\\61\\61\\40\\61\\61\\61\\61', mail],
            '\n',
            [1],
          ],
          [[base64(`my address is ${encodeURIComponent(mail)}`), '\\u007aebulon.quark@corvid**post**.org'], '\n', [1]],
        ],
      },
    ))

  for (const text of [
    '**Note:** 2**4 and a*b*c, _snake_case_, `code`, ~~gone~~ and *args',
    'sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'id 550e8400-e29b-41d4-a716-446655440000, #ffeedd',
    '0x7f 0x45 0x4c 0x46 0x02 0x01 0x01 0x00 0x48 0x65 0x6c 0x6c 0x6f',
    'content: "\\2014 \\a0"; path C:\\2024\\40\\x; regex \\d{3}\\.\\d{4}; U+0040 is a sign',
    'C++ADT-, a+ABC-b and x+AEA',
    '| **12** | 415 | _555_ |',
  ])
    it(`is not seen in ${text}`, async () => {
      expect(await unstreamed(text, 'block')).to.equal(text)
    })
})
