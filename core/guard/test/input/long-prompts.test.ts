import { expect } from 'chai'
import { failure } from '@sallyport/core'
import type { ChatCapability, Detector } from '@sallyport/core'
import { enforce, run } from '../support.js'

/** Fails before it says anything. */
const failing = (error: Error): ChatCapability => ({
  async *stream() {
    throw await Promise.resolve(error)
  },
})

/** Looks for attacks until it is told to stop. */
const patient = () => {
  const seen: { stopped?: boolean } = {}
  const detector: Detector = {
    inspect: (_, { signal }) =>
      new Promise((_, reject) => {
        seen.stopped = false
        signal.addEventListener('abort', () => {
          seen.stopped = true
          reject(signal.reason as Error)
        })
      }),
  }
  return { seen, detector }
}

const policy = { input: { injection: { ...enforce, budget: 5000 } } }

describe('a prompt that the model has no room for', () => {
  it('is refused as such, without the checks that still run', async () => {
    const { seen, detector } = patient()
    const error = failure('context_exceeded', { tokens: 9000, limit: 4096 })
    const answer = await run('long', policy, { injection: detector }, failing(error))
    expect(answer.error).to.equal(error.message)
    expect(seen.stopped, 'it goes on').to.not.equal(false)
  })

  it('is told from a model that fails, which is not said before the checks are through', async () => {
    const { seen, detector } = patient()
    const short = { input: { injection: { ...enforce, budget: 50 } } }
    const answer = await run(
      'long',
      short,
      { injection: detector },
      failing(failure('model_unavailable', { model: 'm', problem: 'it fell' })),
    )
    expect(answer.error).to.equal('safeguard unavailable: injection')
    expect(seen.stopped).to.equal(true)
  })
})
