/** Personal information that is split over values which stand beside each other, in what goes in and what comes out. */

import { chat, completion, definePlugin, embedding, rerank, tools } from '@sallyport/core'
import type { ChatChunk, ChatMessage, ChatRequest, Kernel, Tool, Verdict } from '@sallyport/core'
import { createKernel } from '@sallyport/kernel'
import { expect } from 'chai'
import fc from 'fast-check'
import plugin from '../src/index.js'

/** What models were asked last, and what they say. */
const model: { asked?: unknown; says: readonly unknown[] } = { says: [] }

class Scripted {
  async *stream(request: unknown): AsyncGenerator<never> {
    model.asked = request
    for (const piece of model.says) yield (await Promise.resolve(piece)) as never
    yield { finish: 'stop' } as never
  }
  rerank(request: { documents: string[] }) {
    model.asked = request
    return Promise.resolve({ ranking: request.documents.map((_, index) => ({ index, score: 0.5 })) })
  }
  embed(request: { inputs: unknown[] }) {
    model.asked = request
    return Promise.resolve({ vectors: request.inputs.map(() => new Float32Array([1])), promptTokens: 1 })
  }
  list() {
    return Promise.resolve({ servers: model.says as never[] })
  }
  call(request: unknown) {
    model.asked = request
    return Promise.resolve({ output: String(model.says[0]) })
  }
}

const models = definePlugin({
  name: 'models',
  models: {
    talk: { capability: chat, class: Scripted },
    fill: { capability: completion, class: Scripted },
    sort: { capability: rerank, class: Scripted },
    embed: { capability: embedding, class: Scripted },
    use: { capability: tools, class: Scripted },
  },
})

const check = { threshold: 0, budget: 60_000 }
const replace = { ...check, action: 'replace', method: 'category' } as const
const block = { ...check, action: 'block' } as const
const policies = {
  none: { input: {} },
  in: { input: { pii: replace } },
  out: { output: { pii: replace } },
  'out-fake': { output: { pii: { ...replace, method: 'fake' } } },
  'in-block': { input: { pii: block } },
  'out-block': { output: { pii: block } },
  'in-shadow': { input: { pii: { ...block, mode: 'shadow' } } },
  'in-ignore': { input: { pii: { ...block, ignore: ['US_SSN'] } } },
}

const user = (content: ChatMessage['content']): ChatMessage => ({ role: 'user', content })
const assistant = (content: string): ChatMessage => ({ role: 'assistant', content })
const calling = (...values: unknown[]): ChatMessage => ({
  ...assistant(''),
  toolCalls: values.map((value, at) => ({ id: `c${at}`, name: 'send', arguments: JSON.stringify(value) })),
})
const tool = (name: string, description: string): Tool => ({ name, description, parameters: { type: 'object' } })

/** The halves of what is split, by its type. */
const halves: readonly (readonly [string, string, string])[] = [
  ['US_SSN', '536-2', '2-1234'],
  ['US_SSN', '536-22-', '1234'],
  ['IP_ADDRESS', '203.0.', '113.77'],
  ['IP_ADDRESS', '2001:db8:0:0:', '0:0:ff00:42'],
  ['MAC_ADDRESS', '00:1A:2b:', '3C:4d:5E'],
  ['EMAIL_ADDRESS', 'zebulon.quark', '@corvidpost.org'],
  ['EMAIL_ADDRESS', 'zebulon.quark@', 'corvidpost.org'],
  ['EMAIL_ADDRESS', 'zebulon.quark@corvid', 'post.org'],
  ['CRYPTO', '1A1zP1eP5QGefi2DM', 'PTfTL5SLmv7DivfNa'],
  ['CRYPTO', 'bc1qw508d6qejxtdg4y5', 'r3zarvary0c5xw7kv8f3t4'],
  ['CREDIT_CARD', '4111 1111', '1111 1111'],
  ['CREDIT_CARD', '4111-1111-1111-', '1111'],
  ['IBAN_CODE', 'DE893704', '00440532013000'],
  ['IBAN_CODE', 'DE89 3704 0044', '0532 0130 00'],
]

describe('what is split over values', function () {
  this.timeout(120_000)
  let kernel: Kernel
  before(async () => {
    kernel = await createKernel({
      plugins: [models, plugin],
      models: { pii: { backend: 'pii', options: { key: 'a key of sixteen' } } },
      policies,
    })
  })
  after(() => kernel.stop())

  const hear = async (request: ChatRequest, policy: string, onVerdict?: (verdict: Verdict) => void) => {
    const pieces: ChatChunk[] = []
    for await (const piece of kernel
      .get(chat, 'talk')
      .stream(request, { policies: [policy], ...(onVerdict && { onVerdict }) }))
      pieces.push(piece)
    return pieces
  }
  /** What a model is asked, or why it is not. */
  const asked = async (ask: () => Promise<unknown>): Promise<string> => {
    model.says = []
    try {
      await ask()
      return JSON.stringify(model.asked)
    } catch (error) {
      return (error as Error).message
    }
  }

  const inputs: Readonly<Record<string, (one: string, other: string, policy: string) => Promise<unknown>>> = {
    'turns of a user around one of the assistant': (one, other, policy) =>
      hear({ messages: [user(`it is ${one}`), assistant('Go on.'), user(`${other}, that is all`)] }, policy),
    'turns of the user and the assistant': (one, other, policy) =>
      hear({ messages: [user(`it is ${one} `), assistant(other)] }, policy),
    'reasoning and content': (one, other, policy) =>
      hear({ messages: [user('hi'), { ...assistant(other), reasoning: `So ${one}` }] }, policy),
    'content and the arguments of a call': (one, other, policy) =>
      hear({ messages: [{ ...calling({ to: other }), content: `So ${one}` }] }, policy),
    'two calls': (one, other, policy) => hear({ messages: [calling({ to: one }, { to: other })] }, policy),
    'two calls of several values': (one, other, policy) =>
      hear({ messages: [calling({ to: one, n: 'first' }, { to: other, n: 'last' })] }, policy),
    'two keys of JSON': (one, other, policy) =>
      hear({ messages: [user(JSON.stringify({ [`a ${one}`]: null, [`${other} .`]: null }))] }, policy),
    'two values of JSON': (one, other, policy) =>
      hear({ messages: [user(JSON.stringify({ first: one, second: other }))] }, policy),
    'a row of a table': (one, other, policy) =>
      hear({ messages: [user(JSON.stringify([['x', one, other], ['y']]))] }, policy),
    'a column of a table': (one, other, policy) =>
      hear({ messages: [user(JSON.stringify([one, other].map((part, id) => ({ id, part, of: 'it' }))))] }, policy),
    'JSON in JSON': (one, other, policy) =>
      hear({ messages: [user(JSON.stringify({ text: JSON.stringify([one, other]) }))] }, policy),
    'escaped values': (one, other, policy) =>
      hear({ messages: [user(`["${escaped(one)}","\\n${escaped(other)}"]`)] }, policy),
    'long values': (one, other, policy) =>
      hear({ messages: [user(`${'word '.repeat(400)}${one}`), user(`${other}${' word'.repeat(400)}`)] }, policy),
    'descriptions of tools': (one, other, policy) =>
      hear({ messages: [user('hi')], tools: [tool('send', `Sends ${one}`), tool('wait', `${other} is it.`)] }, policy),
    'the prompt and what stands behind its gap': async (one, other, policy) => {
      const stream = kernel
        .get(completion, 'fill')
        .stream({ prompt: `it is ${one}`, suffix: other }, { policies: [policy] })
      for await (const piece of stream) expect(piece).to.be.an('object')
    },
    'documents to rank': (one, other, policy) =>
      kernel.get(rerank, 'sort').rerank({ query: 'who', documents: ['no', one, other] }, { policies: [policy] }),
    'texts to embed': (one, other, policy) =>
      kernel.get(embedding, 'embed').embed({ inputs: [{ text: one }, { text: other }] }, { policies: [policy] }),
    'arguments of a remote tool': (one, other, policy) =>
      kernel
        .get(tools, 'use')
        .call({ server: 'a', name: 'b', arguments: { list: [one, { more: other }] } }, { policies: [policy] }),
  }

  for (const [place, ask] of Object.entries(inputs))
    it(`is found in ${place}`, async () => {
      for (const [type, one, other] of halves) {
        const heard = await asked(() => ask(one, other, 'in'))
        expect(heard, heard).to.not.include(one.trim()).and.not.include(other)
        expect(heard).to.include(`<${type}>`)
        expect(await asked(() => ask(one, other, 'in-block'))).to.equal('pii detected')
        expect(await asked(() => ask(one, other, 'in-shadow'))).to.equal(await asked(() => ask(one, other, 'none')))
      }
    })

  it('is found over four values, and not over five', async () => {
    const ask = (...parts: string[]) => asked(() => hear({ messages: [user(JSON.stringify(parts))] }, 'in-block'))
    expect(await ask('zebulon', '@', 'corvidpost', '.org')).to.equal('pii detected')
    expect(await ask('zebulon', '@', 'corvid', 'post', '.org')).to.not.equal('pii detected')
  })

  it('is not looked for where its type is ignored', async () => {
    expect(await asked(() => inputs['documents to rank']!('536-2', '2-1234', 'in-ignore'))).to.include('536-2')
  })

  it('leaves JSON as it is but for that', async () => {
    const value = { n: 1, list: ['536-2', '2-1234', 'x'], '1A1zP1eP5QGefi2DM': 2, PTfTL5SLmv7DivfNa: { a: null } }
    const heard = await asked(() => hear({ messages: [user(JSON.stringify(value))] }, 'in'))
    const { messages } = JSON.parse(heard) as { messages: { content: string }[] }
    expect(JSON.parse(messages[0]!.content)).to.deep.equal({
      n: 1,
      list: ['<US_SSN>', '<US_SSN>', 'x'],
      '<CRYPTO>': 2,
      '<CRYPTO> 2': { a: null },
    })
  })

  it('is counted once', async () => {
    const counts: Record<string, number> = {}
    const count = ({ findings = {} }: Verdict) => {
      for (const [type, found] of Object.entries(findings)) counts[type] = (counts[type] ?? 0) + found
    }
    model.says = []
    await hear({ messages: [user('So 536-2'), assistant('Yes?'), user('2-1234')] }, 'in', count)
    await hear({ messages: [user('["DE893704", {"a": "00440532013000"}]')] }, 'in', count)
    expect(counts).to.deep.equal({ US_SSN: 1, IBAN_CODE: 1 })
  })

  const request = (pieces: readonly ChatChunk[]) => {
    model.says = pieces
    return { messages: [user('hi')], tools: [{ name: 'send' }] }
  }

  const answer = async (pieces: readonly ChatChunk[], policy: string) => {
    const heard: ChatChunk[] = []
    let error: string | undefined
    try {
      for await (const piece of kernel.get(chat, 'talk').stream(request(pieces), { policies: [policy] }))
        heard.push(piece)
    } catch (thrown) {
      error = (thrown as Error).message
    }
    const said = (part: (piece: ChatChunk) => string) => heard.map(part).join('')
    return {
      error,
      reasoning: said((piece) => ('reasoning' in piece ? piece.reasoning : '')),
      text: said((piece) => ('delta' in piece ? piece.delta : '')),
      calls: [0, 1].map((index) =>
        said((piece) => ('toolCall' in piece && piece.toolCall.index === index ? piece.toolCall.arguments : '')),
      ),
    }
  }
  /** A text in pieces of these sizes, in turn. */
  const cut = (text: string, sizes: readonly number[]): string[] => {
    const parts: string[] = []
    for (let at = 0; at < text.length; at += parts.at(-1)!.length)
      parts.push(text.slice(at, at + (sizes[parts.length % sizes.length] ?? 1)))
    return parts
  }
  const deltas = (text: string, sizes: readonly number[]) => cut(text, sizes).map((delta): ChatChunk => ({ delta }))
  const thoughts = (text: string, sizes: readonly number[]) =>
    cut(text, sizes).map((reasoning): ChatChunk => ({ reasoning }))
  const call = (index: number, value: unknown, sizes: readonly number[]) =>
    cut(JSON.stringify(value), sizes).map((part, at): ChatChunk => ({
      toolCall: { index, ...(at ? {} : { id: `c${index}`, name: 'send' }), arguments: part },
    }))
  const outputs: Readonly<Record<string, (one: string, other: string, sizes: readonly number[]) => ChatChunk[]>> = {
    'reasoning and what is said': (one, other, sizes) => [
      ...thoughts(`They said it. It is ${one}`, sizes),
      ...deltas(`${other} is it. That is all that is known about it, and no more.`, sizes),
    ],
    'reasoning and what is said in turns': (one, other, sizes) => [
      ...thoughts('They said it. ', sizes),
      ...deltas('So. ', sizes),
      ...thoughts(`It is ${one}`, sizes),
      ...deltas(`${other} is it. That is all.`, sizes),
      ...thoughts(' and more is not known. Nobody asks', sizes),
    ],
    'what is said and a call': (one, other, sizes) => [
      ...deltas(`I know. It is ${one}`, sizes),
      ...call(0, { to: other }, sizes),
    ],
    'two calls': (one, other, sizes) => [...call(0, { to: one }, sizes), ...call(1, { to: other }, sizes)],
    'an answer in JSON': (one, other, sizes) => deltas(JSON.stringify({ a: one, b: [other] }), sizes),
    'arguments of a call': (one, other, sizes) => call(0, { a: one, b: [other] }, sizes),
  }

  for (const [place, says] of Object.entries(outputs)) {
    it(`is found in ${place}, streamed and not`, async () => {
      for (const [type, one, other] of halves) {
        const heard = await answer(says(one, other, [1000]), 'out')
        const all = JSON.stringify(heard)
        expect(all).to.not.include(one.trim()).and.not.include(other)
        expect(all.split(`<${type}>`).length - 1, all).to.be.within(1, 2)
        const { choices } = await kernel
          .get(chat, 'talk')
          .generate(request(says(one, other, [3])), { policies: ['out'] })
        const [choice] = choices
        expect({
          error: undefined,
          reasoning: choice?.reasoning ?? '',
          text: choice?.text ?? '',
          calls: [0, 1].map((at) => choice?.toolCalls?.[at]?.arguments ?? ''),
        }).to.deep.equal(heard)
        const blocked = await answer(says(one, other, [2]), 'out-block')
        expect(blocked.error).to.equal('pii detected')
        expect(JSON.stringify(blocked)).to.not.include(one.trim()).and.not.include(other)
      }
    })

    it(`is the same in ${place} however that is cut`, () =>
      fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...halves),
          fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
          async ([, one, other], sizes) => {
            expect(await answer(says(one, other, sizes), 'out-fake')).to.deep.equal(
              await answer(says(one, other, [1000]), 'out-fake'),
            )
          },
        ),
        { numRuns: 40 },
      ))
  }

  it('is found over three texts of an answer', async () => {
    const heard = await answer([{ reasoning: 'It is 536-' }, { delta: '22-' }, ...call(0, { to: '1234' }, [4])], 'out')
    expect(heard).to.deep.include({ reasoning: 'It is <US_SSN>', text: '<US_SSN>' })
    expect(JSON.parse(heard.calls[0]!)).to.deep.equal({ to: '<US_SSN>' })
    const turns = [{ reasoning: 'It is 536-' }, { delta: '22-' }, { reasoning: '1234' }, { delta: ' So.' }]
    expect(await answer(turns, 'out')).to.deep.include({ reasoning: 'It is <US_SSN><US_SSN>', text: '<US_SSN> So.' })
  })

  it('is found in what remote tools answer, and in what servers say of them', async () => {
    model.says = ['{"a": "536-2", "b": "2-1234"}']
    const { output } = await kernel
      .get(tools, 'use')
      .call({ server: 'a', name: 'b', arguments: {} }, { policies: ['in'] })
    expect(JSON.parse(String(output))).to.deep.equal({ a: '<US_SSN>', b: '<US_SSN>' })
    model.says = [{ label: 'a', tools: [tool('a', 'Sends 536-2'), tool('b', '2-1234 is it.')] }]
    const { servers } = await kernel.get(tools, 'use').list({}, { policies: ['in'] })
    expect(servers[0]?.tools.map(({ description }) => description)).to.deep.equal(['Sends <US_SSN>', '<US_SSN> is it.'])
  })
})

/** As JSON may be written. */
const escaped = (text: string): string =>
  Array.from(text, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
