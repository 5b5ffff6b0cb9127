import { createKernel, injection } from '@sallyport/core'
import type { Kernel } from '@sallyport/core'
import { testCall } from '@sallyport/core/conformance'
import { expect } from 'chai'
import plugin from '../src/index.js'
import { eastern } from './languages/eastern.js'
import { other } from './languages/other.js'
import { western } from './languages/western.js'

describe('injection in other languages', () => {
  let kernel: Kernel
  before(async () => {
    kernel = await createKernel({ plugins: [plugin], models: { injection: { backend: 'injection' } } })
  })
  after(() => kernel.stop())

  const scoreOf = async (text: string) => (await kernel.get(injection).inspect({ text }, testCall())).score

  for (const [language, { attacks, harmless }] of Object.entries({ ...western, ...eastern, ...other })) {
    for (const text of attacks)
      it(`is found in ${language}: ${text}`, async () => expect(await scoreOf(text)).to.be.at.least(0.5))
    for (const text of harmless)
      it(`is not found in ${language}: ${text}`, async () => expect(await scoreOf(text)).to.be.below(0.5))
  }
})
