import { propagation } from '@opentelemetry/api'
import { expect } from 'chai'
import { hello } from './support/answers.js'
import { collectChunks } from './support/models.js'
import { serveEachTest, StandIn } from './support/stand-in.js'

const server = new StandIn()

describe('the trace of a request', () => {
  serveEachTest(server)
  afterEach(() => propagation.disable())

  it('goes on at the upstream server, where traces are made', async () => {
    const model = await server.model(hello)
    await collectChunks(model.chat({}))
    expect(server.asked.at(-1)?.headers).to.not.have.property('traceparent')
    propagation.setGlobalPropagator({
      inject: (_, carrier, setter) => setter.set(carrier, 'traceparent', '00-trace-span-01'),
      extract: (parent) => parent,
      fields: () => ['traceparent'],
    })
    await collectChunks(model.chat({}))
    expect(server.asked.at(-1)?.headers).to.include({ traceparent: '00-trace-span-01' })
  })
})
