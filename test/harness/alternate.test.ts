import { expect } from 'chai'
import { alternate } from '../bench/sections/alternate.js'
import { compare } from '../bench/sections/compare.js'

describe('rounds', () => {
  it('take turns in going first', async () => {
    const order: string[] = []
    const measured = await alternate(['a', 'b'], 3, (subject, round) => {
      order.push(`${subject}${round}`)
      return Promise.resolve(`${subject}${round}`)
    })
    expect(order).to.deep.equal(['a0', 'b0', 'b1', 'a1', 'a2', 'b2'])
    expect(measured).to.deep.equal([
      { subject: 'a', values: ['a0', 'a1', 'a2'] },
      { subject: 'b', values: ['b0', 'b1', 'b2'] },
    ])
  })

  it('are compared where both servers took part', () => {
    const common = { section: 'generation', model: 'm', measure: 'decode-1', unit: 'tokens/s' } as const
    const ours = { name: 'sallyport', rounds: [90, 100], note: 'threads 2' } as const
    const theirs = { name: 'llama-server', rounds: [100, 100] } as const
    expect(compare({ ...common, results: [ours] }, 'ratio').map(({ subject }) => subject)).to.deep.equal(['sallyport'])
    const [, , ratio] = compare({ ...common, results: [ours, theirs] }, 'ratio')
    expect(ratio).to.deep.include({ subject: 'ratio', unit: 'ratio', rounds: [0.9, 1] })
  })
})
