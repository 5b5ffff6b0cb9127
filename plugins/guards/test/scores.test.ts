import { createKernel } from '@sallyport/kernel'
import { injection } from '@sallyport/checks'
import type { Kernel } from '@sallyport/core'
import { testCall } from '@sallyport/testing'
import { expect } from 'chai'
import plugin from '../src/index.js'
import { scoredTexts } from './support.js'

describe('scores of injection', () => {
  let kernel: Kernel
  before(async () => {
    kernel = await createKernel({ plugins: [plugin], models: { injection: { backend: 'injection' } } })
  })
  after(() => kernel.stop())

  for (const { texts, origin, attacks = [], harmless = [] } of scoredTexts) {
    const inspect = (text: string) => kernel.get(injection).inspect({ text, ...(origin && { origin }) }, testCall())
    for (const text of attacks)
      it(`flag ${texts}: ${JSON.stringify(text)}`, async () => {
        const { score, findings } = await inspect(text)
        expect(score).to.be.at.least(0.5)
        expect(findings).not.to.have.length(0)
      })
    for (const text of harmless)
      it(`pass ${texts}: ${JSON.stringify(text.slice(0, 100))}`, async () =>
        expect((await inspect(text)).score).to.be.below(0.5))
  }
})
