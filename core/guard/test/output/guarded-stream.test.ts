import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import fc from 'fast-check'
import type { Inspection, Detector } from '@sallyport/core'
import { splitIntoChunks } from '@sallyport/testing'
import { enforce, finder, inspection, replace } from '../support.js'
import { checks, detectors, hear, pii, sentence } from './streams.js'
import type { Detectors, Output } from './streams.js'

const words = fc.constantFrom(
  '1234',
  '12',
  '34',
  '. ',
  '.\n',
  '! ',
  '\r\n',
  ' ',
  '🙂',
  '👩‍👩‍👧',
  'שלום',
  'é',
  'it rains here',
  'x'.repeat(300),
  '\\u0031',
  '234',
)
const texts = fc.array(words, { maxLength: 25 }).map((parts) => parts.join(''))
const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 6 })

/** A detector that finds nothing, and has this fault where it sees the word. */
const failingOn = (word: string, fault: () => Promise<Inspection>): Detector => ({
  inspect: ({ text }) => (text.includes(word) ? fault() : inspection({})),
})

describe('a guarded stream', () => {
  it('says the same as the whole answer, for every way of cutting it', async () => {
    await fc.assert(
      fc.asyncProperty(texts, sizes, async (text, cuts) => {
        expect((await hear(splitIntoChunks(text, cuts))).said).to.equal((await hear([text])).said)
      }),
      { numRuns: 300 },
    )
  })

  // An escape may be part of what is found, and is replaced with it.
  const plain = texts.filter((text) => !text.includes('\\'))

  it('finds what patterns find in the whole answer', async () => {
    await fc.assert(
      fc.asyncProperty(plain, sizes, async (text, cuts) => {
        expect((await hear(splitIntoChunks(text, cuts))).said).to.equal(text.replaceAll('1234', '<SECRET>'))
      }),
      { numRuns: 300 },
    )
  })

  it('releases nothing of what is blocked, nor of what comes after it, whichever check is faster', async () => {
    const delays = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(plain, texts, sizes, delays, async (before, after, cuts, waits) => {
        let turn = 0
        const slow: Detectors = {
          pii,
          toxicity: {
            inspect: async (inspected, inner) => {
              await sleep(waits[turn++ % waits.length])
              return finder('awful', 'toxicity').inspect(inspected, inner)
            },
          },
        }
        const text = `${before} awful ${after}`
        const { said, error } = await hear(splitIntoChunks(text, cuts), checks, slow)
        expect(error).to.equal('failed toxicity check')
        const clean = before.replaceAll('1234', '<SECRET>')
        expect(`${clean} `.startsWith(said), said).to.equal(true)
        expect(said).to.equal((await hear([text])).said)
      }),
      { numRuns: 60 },
    )
  })

  const cases: { name: string; chunks: string[]; said: string; error?: string; output?: Output; used?: Detectors }[] = [
    {
      name: 'a secret over five chunks',
      chunks: [sentence, '1', '2', '3', '4', ' is it.'],
      said: `${sentence}<SECRET> is it.`,
    },
    {
      name: 'a secret that ends a segment',
      chunks: ['The number is 1234. ', 'Keep it.'],
      said: 'The number is <SECRET>. Keep it.',
    },
    { name: 'a secret that begins one', chunks: [sentence, '1234 it is'], said: `${sentence}<SECRET> it is` },
    {
      name: 'a secret in the last characters',
      chunks: [sentence, 'So it is 1234'],
      said: `${sentence}So it is <SECRET>`,
    },
    {
      name: 'a secret without a space around it',
      chunks: ['x'.repeat(510), '1234', 'y'.repeat(800)],
      said: `${'x'.repeat(510)}<SECRET>${'y'.repeat(800)}`,
    },
    { name: 'many secrets without a space', chunks: ['1234'.repeat(2000)], said: '<SECRET>'.repeat(2000) },
    { name: 'a family of emoji at a cut', chunks: ['👩‍👩‍👧'.repeat(200)], said: '👩‍👩‍👧'.repeat(200) },
    {
      name: 'text from right to left',
      chunks: ['שלום עולם, זה הטקסט. ', 'המספר 1234 כאן'],
      said: 'שלום עולם, זה הטקסט. המספר <SECRET> כאן',
    },
    {
      name: 'lone surrogates and NUL',
      chunks: ['\ud800 and \0 are here. ', 'x\udfff'],
      said: '\ud800 and \0 are here. x\udfff',
    },
    {
      name: 'JSON, whose numbers become strings',
      chunks: ['{"a": 12', '34, "b": "x. ', 'Y z"}'],
      said: '{"a": "<SECRET>", "b": "x. Y z"}',
    },
    { name: 'nothing', chunks: ['', ''], said: '' },
    {
      name: 'a block in the first segment',
      chunks: ['This is awful stuff. ', sentence],
      said: '',
      error: 'failed toxicity check',
    },
    {
      name: 'a block in the last segment',
      chunks: [sentence, 'But awful'],
      said: sentence,
      error: 'failed toxicity check',
    },
    {
      name: 'a block of personal information',
      chunks: [sentence, 'It is 1234'],
      said: sentence,
      error: 'pii detected',
      output: { pii: { ...replace, action: 'block' } },
    },
    {
      name: 'a detector that is missing',
      chunks: [sentence],
      said: '',
      error: 'safeguard unavailable: toxicity',
      used: { pii },
    },
    {
      name: 'a policy that wants the whole answer',
      chunks: [sentence, 'But awful'],
      said: '',
      error: 'failed toxicity check',
      output: { toxicity: { ...enforce, window: 'answer' } },
    },
    {
      name: 'a detector that fails from the second segment on',
      chunks: [sentence, 'And it snows there.'],
      said: sentence,
      error: 'safeguard unavailable: toxicity',
      used: {
        pii,
        toxicity: failingOn('snows', () => Promise.reject(new Error('gone'))),
      },
    },
    {
      name: 'a detector that takes too long',
      chunks: [sentence, 'And it snows there.'],
      said: sentence,
      error: 'safeguard unavailable: toxicity',
      used: {
        pii,
        toxicity: failingOn('snows', () => new Promise(() => undefined)),
      },
    },
    {
      name: 'a detector that cannot say where a text may be cut',
      chunks: [sentence, 'And it snows there.'],
      said: '',
      error: 'safeguard unavailable: pii',
      used: { ...detectors, pii: { ...pii, openSpans: () => Promise.reject(new Error('gone')) } },
    },
    {
      name: 'a detector that says so of places outside the text',
      chunks: [sentence, 'And it snows there.'],
      said: '',
      error: 'safeguard unavailable: pii',
      used: { ...detectors, pii: { ...pii, openSpans: () => Promise.resolve({ spans: [{ start: 0, end: 9999 }] }) } },
    },
  ]
  for (const { name, chunks, said, error, output, used } of cases)
    it(`holds for ${name}`, async () => {
      for (const cut of [chunks, splitIntoChunks(chunks.join(''), [1]), [chunks.join('')]]) {
        const heard = await hear(cut, output, used)
        expect({ said: heard.said, error: heard.error }).to.deep.equal({ said, error })
      }
    })
})
