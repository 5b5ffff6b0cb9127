import { expect } from 'chai'
import type { ToolListRequest } from '../../src/index.js'

const requested = { label: 'a', url: 'https://tools.example.com/mcp' }

describe('a request for a list of tools', () => {
  it('is for all servers, one of the configuration, or one that it names itself', () => {
    const requests: ToolListRequest[] = [{}, { server: 'a' }, { requested }]
    // @ts-expect-error: of which of both would the list be?
    requests.push({ server: 'a', requested })
    expect(requests).to.have.length(4)
  })
})
