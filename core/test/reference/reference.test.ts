import { expect } from 'chai'
import { capabilities } from '../../src/capabilities/index.js'
import type { ChatRequest } from '../../src/capabilities/index.js'
import { collectPieces, testCall } from '../../src/conformance/index.js'
import { collect } from '../../src/kernel/generation.js'
import reference, { EchoChat, MarkovCompletion, PatternPii } from '../../src/reference/index.js'
import { luhn } from '../../src/reference/luhn.js'

const echo = async (request: Partial<ChatRequest>) => {
  const messages: ChatRequest['messages'] = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'one  two\nthree' },
  ]
  const { choices } = await collect(new EchoChat({ delay: 0 }).stream({ messages, ...request }, testCall()))
  return choices[0]
}

describe('the reference plugin', () => {
  it('brings one model for every capability', () => {
    const provided = Object.values(reference.models ?? {}).map(({ capability }) => capability.name)
    expect(provided).to.have.members(Object.values(capabilities).map(({ name }) => name))
  })

  it('waits as long before each piece as it is told to', async () => {
    const messages: ChatRequest['messages'] = [{ role: 'user', content: 'one two three' }]
    const begin = performance.now()
    await collectPieces(new EchoChat({ delay: 20 }).stream({ messages }, testCall()))
    expect(performance.now() - begin).to.be.above(55)
  })

  it('ends such a wait at once when it is aborted', async () => {
    const controller = new AbortController()
    const messages: ChatRequest['messages'] = [{ role: 'user', content: 'one' }]
    const call = testCall({ signal: controller.signal })
    const reading = collectPieces(new EchoChat({ delay: 60_000 }).stream({ messages }, call))
    controller.abort(new Error('gone'))
    expect(await reading.catch((error: unknown) => error)).to.have.property('message', 'gone')
  })
})

describe('the reference chat', () => {
  it('repeats the last message, white space included', async () => {
    expect(await echo({})).to.deep.equal({ text: 'one  two\nthree', finish: 'stop' })
  })

  it('begins elsewhere with another seed, when it may', async () => {
    const texts = await Promise.all(
      [0, 1, 2, 3, 4, 5].map(async (seed) => (await echo({ seed, temperature: 1 }))?.text),
    )
    expect(new Set(texts).size).to.be.above(1)
  })

  it('calls the tool that it must call, and answers by a schema', async () => {
    const schema = {
      type: 'object',
      properties: { text: { type: 'string' }, unit: { enum: ['C', 'F'] }, n: { type: 'integer' } },
    }
    const filled = { text: 'one  two\nthree', unit: 'C', n: 1 }
    const called = await echo({ tools: [{ name: 'say', parameters: schema }], toolChoice: 'required' })
    expect(JSON.parse(called?.toolCalls?.[0]?.arguments ?? '')).to.deep.equal(filled)
    const answered = await echo({ responseFormat: { type: 'json_schema', schema, strict: true } })
    expect(JSON.parse(answered?.text ?? '')).to.deep.equal(filled)
  })
})

describe('the reference completion', () => {
  it('continues with words that follow in its corpus', async () => {
    const request = { prompt: 'Once there was a White', maxTokens: 3 }
    const { choices } = await collect(new MarkovCompletion({ delay: 0 }).stream(request, testCall()))
    expect(choices[0]).to.deep.equal({ text: ' Rabbit with pink', finish: 'length' })
  })
})

describe('the reference PII detector', () => {
  it('takes linear time on what is almost an address', async () => {
    const text = `${'a.'.repeat(100_000)}@`
    const begin = performance.now()
    await new PatternPii({ delay: 0 }).inspect({ text }, testCall())
    expect(performance.now() - begin).to.be.below(1000)
  })
})

describe('the check of card numbers', () => {
  const numbers: [string, boolean][] = [
    ['4111 1111 1111 1111', true],
    ['5500-0000-0000-0004', true],
    ['378282246310005', true],
    ['4111 1111 1111 1112', false],
    ['79927398713', true],
    ['79927398710', false],
  ]
  for (const [number, valid] of numbers)
    it(`${valid ? 'accepts' : 'refuses'} ${number}`, () => {
      expect(luhn(number) === 0).to.equal(valid)
    })
})
