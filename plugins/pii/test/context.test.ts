import { expect } from 'chai'
import { callOf, detectorOf } from './support.js'

describe('what stands before a text', () => {
  const detector = detectorOf()
  const found = async (text: string, before?: string) => {
    const request = { text, ...(before === undefined ? {} : { before }) }
    const { findings } = await detector.inspect(request, callOf())
    return findings.map(({ type, start, end }) => `${type} ${text.slice(start, end)}`)
  }

  it('gives away what it would in the text itself', async () => {
    expect(await found('111222333 is it.')).to.deep.equal([])
    expect(await found('111222333 is it.', 'This is the BSN of the client:\n')).to.deep.equal(['NL_BSN 111222333'])
  })

  it('is not reported itself', async () => {
    expect(await found('That is all.', 'Write to jane@example.org. ')).to.deep.equal([])
    expect(await found('Or to joe@example.org.', 'Write to jane@example.org. ')).to.deep.equal([
      'EMAIL_ADDRESS joe@example.org',
    ])
  })
})
