import { stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKernel } from '@sallyport/kernel'
import type { ReplaceMethod } from '@sallyport/core'
import { expect } from 'chai'
import fc from 'fast-check'
import { isValidIBAN } from 'ibantools'
import { isValidPhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { luhn } from '../src/checksums/index.js'
import { exampleOf } from '../src/custom/examples.js'
import { recognizers } from '../src/recognizers/index.js'
import { PiiBackend } from '../src/backend.js'
import { serverKey } from '../src/replacement/key.js'
import { callOf, described, detectorOf, findingsIn } from './support.js'

const detector = detectorOf()

const replaced = async (
  original: string,
  type: string,
  method: ReplaceMethod = 'fake',
  tenant = 'tenant',
  by = detector,
) => {
  const findings = [{ type, start: 0, end: original.length, score: 1 }]
  return (await by.replace({ text: original, findings, method }, callOf({ tenant }))).text
}

const shapeOf = (text: string) =>
  text
    .replace(/\p{Lu}/gu, 'A')
    .replace(/\p{Ll}/gu, 'a')
    .replace(/\d/g, '0')

describe('fakes', () => {
  const checks: readonly (readonly [string, string, (fake: string, original: string) => boolean])[] = [
    ['CREDIT_CARD', '4111-1111-1111-1111', (fake) => luhn(fake) && fake.startsWith('4111-')],
    ['CREDIT_CARD', '378282246310005', (fake) => luhn(fake) && fake.length === 15 && fake.startsWith('37')],
    [
      'IBAN_CODE',
      'GB82 WEST 1234 5698 7654 32',
      (fake) => isValidIBAN(fake.replaceAll(' ', '')) && fake.startsWith('GB'),
    ],
    ['IBAN_CODE', 'FR1420041010050500013M02606', (fake) => isValidIBAN(fake) && fake.startsWith('FR')],
    ['IBAN_CODE', 'ES9121000418450200051332', (fake) => isValidIBAN(fake) && fake.startsWith('ES')],
    ['US_SSN', '536-22-1234', (fake) => /^(?!000|666|9)\d{3}-(?!00)\d\d-(?!0000)\d{4}$/.test(fake)],
    ['PHONE_NUMBER', '+49 30 901820', (fake) => fake.startsWith('+49 ')],
    ['PHONE_NUMBER', '(212) 555-0187', (fake) => /^\(\d{3}\) 555-01\d\d$/.test(fake)],
    ['PHONE_NUMBER', '+1 212-555-0187 ext. 45', (fake) => /^\+1 \d{3}-555-01\d\d ext\. \d\d$/.test(fake)],
    [
      'PHONE_NUMBER',
      '+39 06 698 12345',
      (fake) => isValidPhoneNumber(fake) && parsePhoneNumberFromString(fake)?.country === 'IT',
    ],
    ['PHONE_NUMBER', '178-05-1120', (fake) => /^\d{3}-\d\d-\d{4}$/.test(fake) && !fake.startsWith('17')],
    ['US_SSN', '536_22_1234', (fake) => /^(?!000|666|9)\d{3}_(?!00)\d\d_(?!0000)\d{4}$/.test(fake)],
    ['CREDIT_CARD', '4O12 8888 8888 1881', (fake) => /^4012 \d{4} \d{4} \d{4}$/.test(fake) && luhn(fake)],
    ['CREDIT_CARD', 'Y2FyZCA0MTExIDExMTEgMTExMSAxMTEx', (fake, original) => shapeOf(fake) === shapeOf(original)],
    [
      'IBAN_CODE',
      'DE89\n37O4 OO44 0532 0130 00',
      (fake) => isValidIBAN(fake.replaceAll(/\s/g, '')) && fake.startsWith('DE'),
    ],
    ['EMAIL_ADDRESS', 'jane.doe@acme.com', (fake) => /^[^@\s]+@example\.(?:com|org|net)$/.test(fake)],
    ['IP_ADDRESS', '10.1.2.3/8', (fake) => /^(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d{1,3}\/8$/.test(fake)],
    ['IP_ADDRESS', 'fe80::1', (fake) => fake.startsWith('2001:db8::')],
    ['MAC_ADDRESS', '00:1A:2B:3C:4D:5E', (fake) => /^00:00:5E:00:53:[\dA-F]{2}$/.test(fake)],
    [
      'URL',
      'https://www.acme.com/users/jane',
      (fake) => /^https:\/\/www\.[a-z-]+\.example\.(?:com|org|net)\/[a-z-]+$/.test(fake),
    ],
    ['DATE_TIME', '4/29/1972', (fake) => /^[1-9]\/(?:1[3-9]|2\d)\/(?:19|20)\d\d$/.test(fake)],
    ['DATE_TIME', '02011980', (fake) => /^0\d0\d(?:19|20)\d\d$/.test(fake)],
    ['DATE_TIME', '19800102', (fake) => /^(?:19|20)\d\d0\d0\d$/.test(fake)],
    ['DATE_TIME', 'March 3rd, 1999', (fake) => /^[A-Z][a-z]+ \d{1,2}rd, (?:19|20)\d\d$/.test(fake)],
    ['PERSON', 'JANE DOE', (fake) => fake === fake.toUpperCase() && fake.split(' ').length >= 2],
    ['PERSON', 'jane', (fake) => fake === fake.toLowerCase()],
    ['LOCATION', 'Germany', (fake) => fake.length > 3],
    ['LOCATION', '12 Main Street, Springfield 12345', (fake) => /\d/.test(fake) && fake.includes(',')],
    ['CRYPTO', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', (fake) => fake.startsWith('1')],
    ['CRYPTO', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', (fake) => fake.startsWith('bc1q')],
    ['SOMETHING_ELSE', 'Ab-12', (fake, original) => shapeOf(fake) === shapeOf(original)],
  ]
  for (const [type, original, isRight] of checks)
    it(`${type}: ${original} becomes another one`, async () => {
      const fake = await replaced(original, type)
      expect(isRight(fake, original), fake).to.equal(true)
      expect(fake).to.not.equal(original)
    })

  const numbers = recognizers.filter(
    ({ validate, entity }) =>
      validate && !['PERSON', 'LOCATION', 'ORGANIZATION', 'NRP', 'DATE_TIME', 'URL'].includes(entity),
  )
  for (const recognizer of numbers)
    it(`${recognizer.entity}: what stands for a valid one is a valid one of the same shape`, async () => {
      const { text } = exampleOf(recognizer.examples[0] ?? '')
      const own = detectorOf([recognizer])
      const [finding] = await findingsIn(text, own)
      const original = text.slice(finding?.start, finding?.end)
      const fake = await replaced(original, recognizer.entity)
      expect(fake).to.not.equal(original)
      if (recognizer.validate?.(original) !== false) expect(recognizer.validate?.(fake), fake).to.not.equal(false)
    })
})

describe('replacement', () => {
  it('gives the same original the same substitute everywhere, whatever its case', async () => {
    for (const method of ['fake', 'random'] as const) {
      const first = await replaced('Jane Doe', 'PERSON', method)
      expect(await replaced('Jane Doe', 'PERSON', method, 'tenant', detectorOf())).to.equal(first)
      expect((await replaced('jane doe', 'PERSON', method)).toLowerCase()).to.equal(first.toLowerCase())
    }
  })

  it('gives an address with its full stops in brackets that of the address', async () => {
    const plain = await replaced('8.8.4.4', 'IP_ADDRESS')
    expect(await replaced('8[.]8[.]4[.]4', 'IP_ADDRESS')).to.equal(plain.replaceAll('.', '[.]'))
    expect(await replaced('8(.)8.4[.]4', 'IP_ADDRESS')).to.match(/^\d+\(\.\)\d+\.\d+\[\.\]\d+$/)
  })

  it('differs by tenant, by type and by key', async () => {
    const one = await replaced('4111 1111 1111 1111', 'CREDIT_CARD')
    expect(await replaced('4111 1111 1111 1111', 'CREDIT_CARD', 'fake', 'other')).to.not.equal(one)
    expect(await replaced('4111 1111 1111 1111', 'ID')).to.not.equal(one)
    const otherKey = detectorOf(recognizers, 0.5, 'another key')
    expect(await replaced('4111 1111 1111 1111', 'CREDIT_CARD', 'fake', 'tenant', otherKey)).to.not.equal(one)
  })

  it('has no word of the name that it replaces', async () => {
    for (let tenant = 0; tenant < 2000; tenant += 1) {
      const fake = await replaced('Jane Miller', 'PERSON', 'fake', String(tenant))
      expect(fake.split(' '), `of tenant ${tenant}`).not.to.include.oneOf(['Jane', 'Miller'])
    }
  })

  it('never leaves the original, and is well formed', () =>
    fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
        fc.constantFrom(
          'PERSON',
          'PHONE_NUMBER',
          'IBAN_CODE',
          'CREDIT_CARD',
          'DATE_TIME',
          'URL',
          'IP_ADDRESS',
          'CRYPTO',
          'US_SSN',
          'X',
        ),
        fc.constantFrom<ReplaceMethod>('fake', 'random'),
        async (original, type, method) => {
          const result = await replaced(original, type, method)
          expect(result).to.not.equal(original === '*' ? '' : original)
          expect(Buffer.from(result).toString()).to.equal(result)
        },
      ),
      { numRuns: 500 },
    )).timeout(60_000)

  it('takes letters of the same script at random', async () => {
    expect(await replaced('Иван', 'PERSON', 'random')).to.match(/^[А-Я][а-я]{3}$/u)
    expect(await replaced('東京', 'LOCATION', 'random')).to.match(/^\p{Script=Han}{2}$/u)
  })

  it('does not take its own placeholders for findings', async () => {
    const text = 'Ask <PERSON> or <US_DRIVER_LICENSE> at <LOCATION>, <EMAIL_ADDRESS>, <Jane Doe>.'
    expect(await described(text)).to.deep.equal(['PERSON Jane Doe'])
  })

  const identifiers = recognizers.flatMap(({ entity, examples }) =>
    examples
      .map((example) => exampleOf(example))
      .flatMap(({ text, expected }) => {
        const [identifier] = expected === undefined ? (/[A-Z\d]+$/.exec(text) ?? []) : [expected]
        if (!identifier || !/^[A-Z][A-Z\d_]*\d[A-Z\d_]*$/.test(identifier)) return []
        return [{ entity, identifier, text: text.replace(identifier, `<${identifier}>`) }]
      }),
  )
  it('takes no identifier for a placeholder', async () => {
    expect(new Set(identifiers.map(({ entity }) => entity)).size).to.be.above(10)
    for (const { entity, identifier, text } of identifiers)
      expect(await described(text), text).to.include(`${entity} ${identifier}`)
  })
})

describe('the key of a server', () => {
  const directory = useTemporaryDirectory()

  it('is made once, for its owner alone, and kept', async () => {
    const home = join(directory.path, 'server')
    const keys = await Promise.all([serverKey(home), serverKey(home), serverKey(home)])
    expect(keys.map((key) => Buffer.from(key).toString('hex'))).to.deep.equal(
      Array(3).fill(Buffer.from(await serverKey(home)).toString('hex')),
    )
    expect((await stat(join(home, 'pii.key'))).mode & 0o777).to.equal(0o600)
    await writeFile(join(home, 'pii.key'), 'short')
    const error = await serverKey(home).catch((failed: unknown) => failed)
    expect(String(error)).to.include('contains no key')
  })

  it('is kept where the backend is told to keep state', async () => {
    const home = join(directory.path, 'backend')
    const kernel = await createKernel({ plugins: [] })
    const options = { threshold: 0.5, ignore: [], recognizers: [] }
    const opener = { has: () => false, open: () => Promise.resolve(kernel) }
    await new PiiBackend({ id: 'pii', files: {}, options }, kernel, tmpdir(), home, opener).load()
    expect((await stat(join(home, 'pii.key'))).isFile()).to.equal(true)
    await kernel.stop()
  })
})
