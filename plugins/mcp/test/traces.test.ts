import { expect } from 'chai'
import { startKernel, stopAll } from './support/kernels.js'
import { startSite } from './support/site.js'

describe('the trace of a call', function () {
  this.timeout(60_000)
  afterEach(stopAll)

  it('goes on at a tool server, in its message and in headers', async () => {
    const site = await startSite()
    const { tools } = await startKernel({ servers: { town: { url: site.url } } })
    const call = async (options: object) => {
      await tools.call({ server: 'town', name: 'echo', arguments: { text: 'hello' } }, options)
      return site.asked.findLast(({ method }) => method === 'tools/call')!
    }
    const untraced = await call({})
    expect(untraced.request.headers).to.not.have.property('traceparent')
    expect(untraced.params).to.not.have.nested.property('_meta.traceparent')
    const trace = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' }
    const traced = await call({ trace })
    expect(traced.request.headers).to.include(trace)
    expect(traced.params).to.have.property('_meta').that.includes(trace)
  })
})
