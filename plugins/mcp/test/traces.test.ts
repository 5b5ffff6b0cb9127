import { propagation } from '@opentelemetry/api'
import { expect } from 'chai'
import { startKernel, stopAll } from './support/kernels.js'
import { startSite } from './support/site.js'

describe('the trace of a request', function () {
  this.timeout(60_000)
  afterEach(async () => {
    propagation.disable()
    await stopAll()
  })

  it('goes on at a tool server over HTTP, where traces are made', async () => {
    const site = await startSite()
    const { tools } = await startKernel({ servers: { town: { url: site.url } } })
    const call = async () => {
      await tools.call({ server: 'town', name: 'echo', arguments: { text: 'hello' } })
      return site.asked.findLast(({ method }) => method === 'tools/call')?.request.headers
    }
    expect(await call()).to.not.have.property('traceparent')
    propagation.setGlobalPropagator({
      inject: (_, carrier, setter) => setter.set(carrier, 'traceparent', '00-trace-span-01'),
      extract: (parent) => parent,
      fields: () => ['traceparent'],
    })
    expect(await call()).to.include({ traceparent: '00-trace-span-01' })
  })
})
