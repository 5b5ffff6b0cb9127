/** Requests of very many texts, whose checks cost next to nothing: all of it is the chain’s own work. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { chat } from '@sallyport/core'
import type { ChatRequest, Detector } from '@sallyport/core'
import { testCall } from '@sallyport/testing'
import { guard, asked, echo, enforce, finder, piiFinder, replace } from '../support.js'

const many = 5000
const numbers = Array.from({ length: many }, (_, at) => at)

const requests: [string, ChatRequest][] = [
  [
    'names in a schema',
    {
      messages: [{ role: 'user', content: 'hi 1234' }],
      tools: [{ name: 'f', parameters: Object.fromEntries(numbers.map((at) => [`k${at}`, `v${at}`])) }],
    },
  ],
  ['messages', { messages: [...numbers.map((at) => ({ role: 'user' as const, content: `hi ${at}` }))] }],
  ['findings in one text', { messages: [{ role: 'user', content: 'hi 1234, '.repeat(30_000) }] }],
  ['parts', { messages: [{ role: 'user', content: numbers.map((at) => ({ type: 'text', text: `hi ${at}` })) }] }],
]

describe('a request of many texts', () => {
  for (const [name, request] of requests)
    it(`lets others have their turns while it is checked: ${name}`, async () => {
      let [turns, ended] = [0, false]
      const others = (async () => {
        for (; !ended; turns += 1) await nextTurn()
      })()
      const heard = await asked(request, { input: { pii: replace, injection: { ...enforce, onFailure: 'open' } } })
      ended = true
      await others
      expect(heard).to.include('hi <SECRET>')
      expect(turns).to.be.at.least(5)
    })

  it('warns nobody of the many checks that listen to the signal of its call', async () => {
    const warnings: Error[] = []
    const heard = (warning: Error) => warnings.push(warning)
    process.on('warning', heard)
    const listening: Detector = {
      inspect: async (request, { signal }) => {
        signal.throwIfAborted()
        await nextTurn()
        return finder('no such word', 'X').inspect(request, testCall())
      },
    }
    const guarded = guard(chat, echo(), {
      policy: { input: { pii: { ...replace, budget: 10_000 }, injection: { ...enforce, budget: 10_000 } } },
      detectors: { injection: listening, pii: { ...piiFinder('1234'), ...listening } },
    })
    const messages = numbers.slice(0, 50).map((at) => ({ role: 'user' as const, content: `hi ${at}` }))
    for await (const chunk of guarded.stream({ messages }, testCall())) expect(chunk).to.be.an('object')
    await nextTurn()
    process.off('warning', heard)
    expect(warnings.map(({ message }) => message)).to.deep.equal([])
  })

  it('is as large as it likes where nothing looks at it', async () => {
    const parameters = { enum: Array.from({ length: 70_000 }, (_, at) => at) }
    const request: ChatRequest = { messages: [{ role: 'user', content: 'hi' }], tools: [{ name: 'f', parameters }] }
    expect(await asked(request, { output: { pii: replace } })).to.equal('hi')
    expect(await asked(request, { input: { injection: { ...enforce, mode: 'shadow' } } })).to.equal('hi')
  })

  it('is refused where it has more than can be checked, numbers in it included', async () => {
    const parameters = { enum: Array.from({ length: 70_000 }, (_, at) => at) }
    const request: ChatRequest = { messages: [{ role: 'user', content: 'hi' }], tools: [{ name: 'f', parameters }] }
    expect(await asked(request, { input: { pii: replace } })).to.include('more than 65536 texts to check')
  })
})
