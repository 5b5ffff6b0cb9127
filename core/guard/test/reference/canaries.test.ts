/** What checks of the answer plant in instructions: who reads it, and who does not. */

import { expect } from 'chai'
import { chat, comparisonCheck, isSallyportError } from '@sallyport/core'
import type { ChatCapability, ChatMessage, ChatRequest, InspectionRequest, Canary, Detector } from '@sallyport/core'
import { testCall } from '@sallyport/testing'
import { guard } from '../../src/guard.js'
import { activeCheck } from '../../src/policy/active-check.js'
import { enforce, inspection, only, piiFinder, replace } from '../support.js'

const leak = comparisonCheck('leak', {
  stages: { output: 'Looks for what it has planted.' },
  order: 350,
  message: 'it leaks',
  comparedWith: 'instructions',
  asksWithoutReference: true,
  plant: ({ word, round = 0, wrong }) =>
    wrong !== undefined
      ? (wrong as () => Canary)()
      : typeof word === 'string'
        ? { text: `(${word})`, options: { word, round: Number(round) + 1 } }
        : undefined,
})

const recording = () => {
  const requests: InspectionRequest[] = []
  const detector: Detector = {
    inspect: (request) => {
      requests.push(request)
      return inspection({})
    },
  }
  return { requests, detector }
}

const ask = async (
  messages: ChatMessage[],
  options: object = { word: 'wren' },
  mode: 'enforce' | 'shadow' = 'enforce',
) => {
  const [input, output, facts] = [recording(), recording(), recording()]
  let heard: ChatRequest | undefined
  const backend: ChatCapability = {
    async *stream(request) {
      heard = request
      yield { delta: 'It is so.' }
      yield await Promise.resolve({ finish: 'stop' as const })
    },
  }
  const policy = { check: 'leak', ...enforce, mode, options: { ...options } }
  const guarded = guard(chat, backend, {
    checks: {
      input: [only('injection', input.detector), only('pii', piiFinder('1234'), replace)],
      output: [activeCheck('leak', leak, policy, output.detector), only('factuality', facts.detector)],
    },
    onVerdict: () => undefined,
    onFailure: () => undefined,
  })
  const request = { messages }
  const before = structuredClone(request)
  for await (const chunk of guarded.stream(request, testCall())) expect(chunk).to.be.an('object')
  expect(request).to.deep.equal(before)
  return { heard: heard?.messages, read: input.requests, inspected: output.requests, compared: facts.requests }
}

const user: ChatMessage = { role: 'user', content: 'Is it so? The shop opens at nine.' }
const system = (content: ChatMessage['content']): ChatMessage => ({ role: 'system', content })
const part = (text: string) => ({ type: 'text' as const, text })

describe('what a check plants', () => {
  const planted: [where: string, messages: ChatMessage[], heard: ChatMessage[]][] = [
    ['a system message', [system('You are Ada.'), user], [system('You are Ada.\n(wren)'), user]],
    ['the last one of several', [system('One.'), user, system('Two.')], [system('One.'), user, system('Two.\n(wren)')]],
    ['the last that says anything', [system('One.'), system(' '), user], [system('One.\n(wren)'), system(' '), user]],
    [
      'the last part of one in parts',
      [system([part('One.'), part('Two.')]), user],
      [system([part('One.'), part('Two.\n(wren)')]), user],
    ],
    ['what is left of one that is replaced', [system('Pin 1234.'), user], [system('Pin <SECRET>.\n(wren)'), user]],
  ]
  for (const [where, messages, expected] of planted)
    it(`stands at the end of ${where}`, async () => {
      expect((await ask(messages)).heard).to.deep.equal(expected)
    })

  const absent: [where: string, messages: ChatMessage[], ...more: [options?: object, mode?: 'shadow']][] = [
    ['where nothing is instructed', [user, { role: 'assistant', content: 'Yes.' }, user]],
    ['in empty instructions', [system(''), user]],
    ['where the options do not say so', [system('You are Ada.'), user], {}],
    ['in shadow mode', [system('You are Ada.'), user], { word: 'wren' }, 'shadow'],
  ]
  for (const [where, messages, ...more] of absent)
    it(`is nothing ${where}`, async () => {
      const { heard, inspected } = await ask(messages, ...more)
      expect(heard).to.deep.equal(messages)
      expect(inspected[0]?.options).to.deep.equal(more[0] ?? { word: 'wren' })
    })

  const wrong: [what: string, plant: () => unknown][] = [
    ['a promise', () => Promise.resolve({ text: 'a', options: {} })],
    ['a text alone', () => 'a'],
    ['no options', () => ({ text: 'a' })],
    ['options that are none', () => ({ text: 'a', options: 7 })],
    ['a text that is none', () => ({ text: { a: 1 }, options: {} })],
    ['an empty text', () => ({ text: '', options: {} })],
    ['a very long text', () => ({ text: 'a'.repeat(4097), options: {} })],
    [
      'nothing, but throws',
      () => {
        throw new Error('no words left')
      },
    ],
  ]
  for (const [what, plant] of wrong)
    it(`makes the check unavailable where it is ${what}`, async () => {
      const error = await ask([system('You are Ada.'), user], { wrong: plant }).catch((thrown: unknown) => thrown)
      expect(isSallyportError(error) && error.message).to.equal('safeguard unavailable: leak')
    })

  it('is what its own detector alone is told of', async () => {
    const { read, inspected, compared } = await ask([system('The shop closes at six.'), user])
    expect(inspected[0]?.options).to.deep.equal({ word: 'wren', round: 1 })
    expect(inspected[0]?.reference).to.equal('The shop closes at six.')
    expect(compared[0]?.reference).to.equal('The shop closes at six.\nThe shop opens at nine.')
    expect(JSON.stringify([read, compared])).not.to.include('wren')
  })
})
