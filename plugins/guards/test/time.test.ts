import { createKernel, factuality, injection, toxicity } from '@sallyport/core'
import type { Kernel } from '@sallyport/core'
import { testCall } from '@sallyport/core/conformance'
import plugin from '../src/index.js'
import { standIn } from './stand-in.js'
import { expectLinear } from './support.js'

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
    for (const [detector, inspect] of Object.entries<(text: string) => Promise<unknown>>({
      injection: (text) => kernel.get(injection, 'injection').inspect({ text }, testCall()),
      toxicity: (text) => kernel.get(toxicity, 'toxicity').inspect({ text }, testCall()),
      factuality: (text) =>
        kernel.get(factuality, 'factuality').inspect({ text: 'The bridge is old.', reference: text }, testCall()),
    }))
      it(`of ${name} takes ${detector} linear time and does not hold the event loop`, () =>
        expectLinear((length) => inspect(part.repeat(Math.ceil(length / part.length)))))
})
