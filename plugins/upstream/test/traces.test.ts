import { expect } from 'chai'
import { testCall } from '@sallyport/testing'
import { hello } from './support/answers.js'
import { collectChunks } from './support/models.js'
import { serveEachTest, StandIn } from './support/stand-in.js'

const server = new StandIn()

describe('the trace of a call', () => {
  serveEachTest(server)

  it('goes on at the upstream server', async () => {
    const model = await server.model(hello)
    await collectChunks(model.chat({}))
    expect(server.asked.at(-1)?.headers).to.not.have.property('traceparent')
    const trace = { traceparent: '00-trace-span-01' }
    await collectChunks(model.chat({}, { ...testCall(), trace }))
    expect(server.asked.at(-1)?.headers).to.include(trace)
  })
})
