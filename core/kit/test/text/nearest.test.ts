import { expect } from 'chai'
import { didYouMean, nearest } from '../../src/text/nearest.js'

describe('the nearest known name', () => {
  const known = ['port', 'host', 'contextLength', 'log', 'listing_dates', 'use']
  const cases: readonly (readonly [given: string, meant: string | undefined])[] = [
    ['prot', 'port'],
    ['Port', 'port'],
    ['context_length', 'contextLength'],
    ['contextLenght', 'contextLength'],
    ['logs', 'log'],
    ['listingDates', 'listing_dates'],
    ['dates', 'listing_dates'],
    ['LISTING', 'listing_dates'],
    ['_', undefined],
    ['using', undefined],
    ['xyz', undefined],
    ['', undefined],
    ['x'.repeat(100_000), undefined],
  ]
  for (const [given, meant] of cases)
    it(`of ${JSON.stringify(given.slice(0, 20))} is ${meant ?? 'none'}`, () => {
      expect(nearest(given, known)).to.equal(meant)
    })

  it('is found among names that can be read once', () => {
    expect(nearest('dates', known.values())).to.equal('listing_dates')
  })

  it('is none where the given one is a part of several', () => {
    expect(nearest('US', ['US_SSN', 'US_ITIN', 'UK_NHS'])).to.equal(undefined)
    expect(nearest('EMAIL', ['US_SSN', 'EMAIL_ADDRESS', 'IP_ADDRESS'])).to.equal('EMAIL_ADDRESS')
  })

  it('ends a message, or all there are', () => {
    expect(didYouMean('prot', known)).to.equal(': did you mean "port"?')
    expect(didYouMean('xyz', ['a', 'b'])).to.equal(': there are "a", "b"')
    expect(didYouMean('xyz', [])).to.equal('')
  })
})
