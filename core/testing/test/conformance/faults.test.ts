import { AssertionError } from 'node:assert'
import { factuality, injection, pii, toxicity } from '@sallyport/checks'
import { expect } from 'chai'
import { capabilities, isSallyportError } from '@sallyport/core'
import { faults } from './faults.js'

const failureOf = async (run: () => Promise<void>): Promise<unknown> => {
  try {
    await run()
    return undefined
  } catch (error) {
    return error
  }
}

describe('conformance cases', function () {
  this.timeout(20_000)

  it('has planted faults for every capability', () => {
    const names = [...Object.values(capabilities), factuality, injection, pii, toxicity].map(({ name }) => name)
    expect(faults.map(({ capability }) => capability)).to.have.members(names)
  })

  for (const { capability, cases, withoutFault, faultsWithoutCase } of faults)
    describe(capability, () => {
      it('has a planted fault for every case, and a case for every fault', () => {
        expect(withoutFault).to.deep.equal([])
        expect(faultsWithoutCase).to.deep.equal([])
      })

      for (const { name, inapplicable, onSound, onFaulty } of cases)
        it(`finds its fault: ${name}`, async () => {
          expect(inapplicable, 'the case does not apply to what the fault is planted in').to.equal(undefined)
          await onSound()
          const error = await failureOf(onFaulty)
          expect(error, 'the case passes in spite of the fault').not.to.equal(undefined)
          expect(error instanceof AssertionError || isSallyportError(error), String((error as Error).stack)).to.equal(
            true,
          )
        })
    })
})
