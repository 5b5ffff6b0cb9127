import { expect } from 'chai'
import { OutputWriter } from '../../src/dialects/responses/output-writer.js'

describe('what is put out of a response', () => {
  it('ends once, each item as it ended', () => {
    const writer = new OutputWriter('openai', () => 'mcp')
    const call = { id: 'a', server: 'town', name: 'weather', arguments: '{}' }
    const begun = [
      ...writer.chunk(0, { delta: 'I call.' }),
      ...writer.chunk(0, { toolCall: { index: 0, id: 'b', name: 'mine', arguments: '{}' } }),
      ...writer.callBegun(call),
    ]
    expect(begun.filter(({ type }) => type === 'response.output_item.added')).to.have.length(3)
    const ended = [...writer.close('completed')].filter(({ type }) => type === 'response.output_item.done')
    expect(ended).to.have.length(2)
    expect([...writer.close('incomplete')]).to.deep.equal([])
    expect(writer.items.map(({ status }) => status)).to.deep.equal(['completed', 'completed', 'completed'])
  })
})
