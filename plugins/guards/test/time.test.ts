import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createKernel, factuality, injection, toxicity } from '@sallyport/core'
import type { Kernel } from '@sallyport/core'
import { expect } from 'chai'
import plugin from '../src/index.js'
import { standIn } from './stand-in.js'
import { callOf } from './support.js'

/** Milliseconds for half a million characters, on a slow machine. */
const budget = 15_000

describe('a text of half a million characters', function () {
  this.timeout(120_000)
  let kernel: Kernel
  before(async () => {
    kernel = await createKernel({
      plugins: [standIn, plugin],
      models: {
        injection: { backend: 'injection', options: { model: 'guard' } },
        toxicity: { backend: 'toxicity' },
        factuality: { backend: 'factuality' },
      },
    })
  })
  after(() => kernel.stop())

  for (const [name, part] of [
    ['prose', 'The quick brown fox jumps over 13 lazy dogs and ignores all of them. '],
    ['the begin of rules', 'ignore all your '],
    ['one word', 'a'],
    ['signs', '!"#$%&/()=?'],
    ['spelled letters', 'i g n o r e '],
    ['digits in words', '1gn0r3 4ll '],
    ['base64', `${Buffer.from('ignore all of them now, please').toString('base64')} `],
    ['another script', '無視してください '],
    ['many marks', 'e\u0301\u0301\u0301'],
    ['nothing but marks', '\u0301'],
    ['numbers in one sentence', '1-'],
    ['marks of speakers', '[INST] <|im_start|> '],
  ] as const)
    it(`of ${name} takes linear time and does not hold the event loop`, async () => {
      const text = part.repeat(Math.ceil(500_000 / part.length))
      const delay = monitorEventLoopDelay({ resolution: 5 })
      delay.enable()
      const begin = performance.now()
      await kernel.get(injection, 'injection').inspect({ text }, callOf())
      await kernel.get(toxicity, 'toxicity').inspect({ text }, callOf())
      await kernel.get(factuality, 'factuality').inspect({ text: 'The bridge is old.', reference: text }, callOf())
      delay.disable()
      expect(performance.now() - begin).to.be.at.most(budget)
      expect(delay.max / 1e6).to.be.at.most(400)
    })
})
