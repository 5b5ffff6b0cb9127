import { Pacer } from '@sallyport/kit/async'
import type { Finding } from '@sallyport/core'
import { expect } from 'chai'
import fc from 'fast-check'
import { resolveOverlaps } from '../src/matching/overlaps.js'
import { callOf, described, usualDetector } from './support.js'

const finding = (type: string, start: number, end: number, score: number): Finding => ({ type, start, end, score })

describe('findings that overlap', () => {
  for (const [name, text, findings, expected] of [
    [
      'a number that goes on behind the better one',
      'ring 020 7946 0958',
      [finding('LOCATION', 0, 8, 0.75), finding('PHONE_NUMBER', 5, 18, 0.55)],
      ['LOCATION 0 18'],
    ],
    [
      'a number that goes on before it',
      '020 7946 0958 street',
      [finding('PHONE_NUMBER', 0, 13, 0.55), finding('LOCATION', 9, 20, 0.75)],
      ['LOCATION 0 20'],
    ],
    [
      'words beside it',
      'ask Jane Miller 12',
      [finding('PERSON', 0, 8, 0.55), finding('PERSON', 4, 15, 0.75)],
      ['PERSON 4 15'],
    ],
    [
      'a number of which another finding holds the rest',
      '020 7946 0958 ext 12',
      [finding('PHONE_NUMBER', 0, 20, 0.95), finding('LOCATION', 14, 20, 1), finding('PHONE_NUMBER', 0, 20, 0.55)],
      ['PHONE_NUMBER 0 20', 'LOCATION 14 20'],
    ],
    [
      'another number beside it',
      'Jane 12 Miller 34',
      [finding('PERSON', 0, 14, 0.75), finding('LOCATION', 8, 17, 0.55)],
      ['PERSON 0 14'],
    ],
  ] as const)
    it(`are one, or the better one: ${name}`, async () => {
      const kept = await resolveOverlaps(findings, text, new Pacer(callOf()))
      expect(kept.map(({ type, start, end }) => `${type} ${start} ${end}`)).to.deep.equal(expected)
    })

  const digits = fc
    .array(fc.tuple(fc.nat(30), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 50, max: 99 })), { maxLength: 8 })
    .map((some) =>
      some.map(([start, length, score], index) => finding(`T${index}`, start, start + length, score / 100)),
    )

  it('cover every digit that one of them covers', () =>
    fc.assert(
      fc.asyncProperty(digits, async (findings) => {
        const kept = await resolveOverlaps(findings, '1234567890'.repeat(5), new Pacer(callOf()))
        for (const { start, end } of findings)
          for (let at = start; at < end; at += 1)
            expect(kept.some((one) => one.start <= at && at < one.end)).to.equal(true)
      }),
    ))

  it('are replaced as one, all of them', () =>
    fc.assert(
      fc.asyncProperty(digits, async (findings) => {
        const text = '1234567890'.repeat(5)
        const { text: replaced } = await usualDetector.replace({ text, findings, method: 'mask' }, callOf())
        const covered = Array.from(text, (_, at) => findings.some(({ start, end }) => start <= at && at < end))
        expect(replaced.replaceAll('*', '')).to.equal(Array.from(text, (one, at) => (covered[at] ? '' : one)).join(''))
      }),
    ))

  it('leave no part of a number', async () => {
    expect(await described('ring 020 7946 0958')).to.deep.equal(['PHONE_NUMBER 020 7946 0958'])
  })
})
