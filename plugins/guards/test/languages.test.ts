import { createKernel } from '@sallyport/kernel'
import { injection } from '@sallyport/checks'
import type { Kernel } from '@sallyport/core'
import { testCall } from '@sallyport/testing'
import { expect } from 'chai'
import plugin from '../src/index.js'
import { easternPersonas } from './languages/eastern-personas.js'
import { eastern } from './languages/eastern.js'
import { otherPersonas } from './languages/other-personas.js'
import { other } from './languages/other.js'
import { westernPersonas } from './languages/western-personas.js'
import { western } from './languages/western.js'

describe('injection in other languages', () => {
  let kernel: Kernel
  before(async () => {
    kernel = await createKernel({ plugins: [plugin], models: { injection: { backend: 'injection' } } })
  })
  after(() => kernel.stop())

  const scoreOf = async (text: string) => (await kernel.get(injection).inspect({ text }, testCall())).score

  for (const [kind, sentences] of Object.entries({
    'an order to disregard or to show orders': { ...western, ...eastern, ...other },
    'a role that knows no rules': { ...westernPersonas, ...easternPersonas, ...otherPersonas },
  }))
    for (const [language, { attacks, harmless }] of Object.entries(sentences)) {
      for (const text of attacks)
        it(`finds ${kind} in ${language}: ${text}`, async () => expect(await scoreOf(text)).to.be.at.least(0.5))
      for (const text of harmless)
        it(`takes for no attack, in ${language}: ${text}`, async () => expect(await scoreOf(text)).to.be.below(0.5))
    }
})
