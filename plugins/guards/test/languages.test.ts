import { createKernel } from '@sallyport/kernel'
import { injection } from '@sallyport/checks'
import type { Kernel } from '@sallyport/core'
import { testCall } from '@sallyport/testing'
import { expect } from 'chai'
import plugin from '../src/index.js'
import { fixture } from './support.js'

/** By what attacks say, then by language; what is harmless has the same words. */
type Sentences = Readonly<Record<string, Readonly<Record<string, Record<'attacks' | 'harmless', readonly string[]>>>>>

describe('injection in other languages', () => {
  let kernel: Kernel
  before(async () => {
    kernel = await createKernel({ plugins: [plugin], models: { injection: { backend: 'injection' } } })
  })
  after(() => kernel.stop())

  const scoreOf = async (text: string) => (await kernel.get(injection).inspect({ text }, testCall())).score

  for (const [kind, languages] of Object.entries(fixture('languages.json') as Sentences))
    for (const [language, { attacks, harmless }] of Object.entries(languages)) {
      for (const text of attacks)
        it(`finds ${kind} in ${language}: ${text}`, async () => expect(await scoreOf(text)).to.be.at.least(0.5))
      for (const text of harmless)
        it(`takes for no attack, in ${language}: ${text}`, async () => expect(await scoreOf(text)).to.be.below(0.5))
    }
})
