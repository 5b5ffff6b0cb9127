/** Who may read metrics, and where there are some. */

import { expect } from 'chai'
import { definePlugin, inject, injectable, provideMetrics } from '@sallyport/core'
import type { MetricsText, Service } from '@sallyport/core'
import type { ServerOptionsInput } from '../src/options.js'
import { testKernel } from './support/kernel.js'
import { withServer } from './support/server.js'

@injectable()
class Counts implements Service {
  constructor(@inject(provideMetrics) private readonly provide: (text: MetricsText) => void) {}

  start() {
    this.provide(() => Promise.resolve('answers 42\n'))
    return Promise.resolve()
  }
}

const counting = definePlugin({ name: 'counting', services: [Counts] })

describe('/metrics', () => {
  const cases: readonly {
    readonly title: string
    readonly plugins: readonly (typeof counting)[]
    readonly options: ServerOptionsInput
    readonly withKey: number
    readonly without: number
  }[] = [
    { title: 'is missing where nothing is counted', plugins: [], options: {}, withKey: 404, without: 403 },
    { title: 'needs a key', plugins: [counting], options: {}, withKey: 200, without: 403 },
    {
      title: 'needs none where it is open',
      plugins: [counting],
      options: { metrics: 'open' },
      withKey: 200,
      without: 200,
    },
  ]
  for (const { title, plugins, options, withKey, without } of cases)
    it(title, async () => {
      await withServer(await testKernel([], { plugins }), options, async ({ url, get }) => {
        const answer = await get('/metrics')
        expect(answer.status).to.equal(withKey)
        if (answer.ok) expect(await answer.text()).to.equal('answers 42\n')
        expect((await fetch(`${url}/metrics`)).status).to.equal(without)
        const { paths } = (await (await get('/openapi.json')).json()) as { paths: object }
        expect('/metrics' in paths).to.equal(withKey === 200)
      })
    })
})
