import { expect } from 'chai'
import { setTimeout } from 'node:timers/promises'
import { inspect } from 'node:util'
import { Vault } from '@sallyport/core'
import type { ChatCapability, Detector, SpanDetector } from '@sallyport/core'
import { enforce, finder, inspection } from '../support.js'
import { names, restored, restoring, saying, writer } from './support.js'

const echo = writer((asked) => asked)

describe('an answer whose policy restores', () => {
  it('has the originals that the model never saw', async () => {
    const { asked, said } = await restored('Write to Jane Miller.', echo)
    expect(asked?.messages[0]?.content).to.equal('Write to <PERSON_1>.')
    expect(said).to.equal('Write to Jane Miller.')
  })

  it('numbers substitutes in the order of the texts, and the same original the same', async () => {
    const messages = ['Bob Jones', 'jane@acme.com and Jane Miller', 'Bob Jones'].map((content, at) => ({
      role: at === 1 ? ('assistant' as const) : ('user' as const),
      content,
    }))
    const slow: SpanDetector = {
      ...names,
      inspect: async (request, call) => {
        if (request.text === 'Bob Jones') await setTimeout(20)
        return names.inspect(request, call)
      },
    }
    const { asked } = await restored({ messages }, echo, {}, { detectors: { pii: slow } })
    expect(asked?.messages.map(({ content }) => content)).to.deep.equal([
      '<PERSON_1>',
      '<EMAIL_ADDRESS_1> and <PERSON_2>',
      '<PERSON_1>',
    ])
  })

  it('takes no number that the request has', async () => {
    const { asked, said } = await restored('Is <PERSON_1> Jane Miller?', echo)
    expect(asked?.messages[0]?.content).to.equal('Is <PERSON_1> <PERSON_2>?')
    expect(said).to.equal('Is <PERSON_1> Jane Miller?')
  })

  it('keeps what another request replaced', async () => {
    await restored('Write to Jane Miller.', echo)
    const { said } = await restored('Who is <PERSON_1>?', saying([{ delta: 'That is <PERSON_1>.' }]))
    expect(said).to.equal('That is <PERSON_1>.')
    await restored('Write to jane@acme.com.', echo, { method: 'fake' })
    const fake = await restored('Bob Jones asks.', saying([{ delta: 'It is ann@example.org.' }]), { method: 'fake' })
    expect(fake.said).to.equal('It is ann@example.org.')
  })

  it('has what earlier calls of the request replaced', async () => {
    const vault = new Vault()
    await restored('Jane Miller', echo, {}, { vault })
    const { asked, said } = await restored(
      'Bob Jones',
      writer((text) => `${text}, <PERSON_1>`),
      {},
      { vault },
    )
    expect(asked?.messages[0]?.content).to.equal('<PERSON_2>')
    expect(said).to.equal('Bob Jones, Jane Miller')
  })

  it('has fakes of which no two are equal, and none is in the request', async () => {
    const { asked, said } = await restored('Jane Miller meets Bob Jones.', echo, { method: 'fake' })
    expect(asked?.messages[0]?.content).to.equal('Ann Smith meets Tom Brown.')
    expect(said).to.equal('Jane Miller meets Bob Jones.')
    const other = await restored('Smith asks: is Ann with Jane Miller?', echo, { method: 'fake' })
    expect(other.asked?.messages[0]?.content).to.equal('Smith asks: is Ann with Eve Stone?')
  })

  it('numbers the category where no fake is free or distinctive', async () => {
    const { asked, said } = await restored('Jane Miller is 34, Ann Eve Smith Stone.', echo, { method: 'fake' })
    expect(asked?.messages[0]?.content).to.equal('<PERSON_1> is <NUMBER_1>, Ann Eve Smith Stone.')
    expect(said).to.equal('Jane Miller is 34, Ann Eve Smith Stone.')
  })

  it('leaves substitutes that the model has said as they are, whoever repeats them', async () => {
    const vault = new Vault()
    await restored('Write to Jane Miller.', echo, { method: 'fake' }, { vault })
    const messages = (['assistant', 'user'] as const).map((role) => ({ role, content: 'Ann Smith, Jane Miller' }))
    const { asked } = await restored({ messages }, echo, { method: 'fake' }, { vault })
    expect(asked?.messages.map(({ content }) => content)).to.deep.equal(Array(2).fill('Ann Smith, Ann Smith'))
  })

  it('tells a person whom the user names later from the substitute of the same name', async () => {
    const vault = new Vault()
    await restored('Write to Jane Miller.', echo, { method: 'fake' }, { vault })
    for (const known of [vault, new Vault(vault.texts)]) {
      const { asked, said } = await restored('Ann Smith, Jane Miller', echo, { method: 'fake' }, { vault: known })
      expect(asked?.messages[0]?.content).to.equal('Ann Smith-fake, Eve Stone')
      expect(said).to.equal('Ann Smith, Jane Miller')
    }
    const later = await restored(
      'And?',
      saying([{ delta: 'Eve Stone, Ann Smith.' }]),
      {},
      { vault: new Vault(vault.texts) },
    )
    expect(later.said).to.equal('Jane Miller, Ann Smith.')
  })

  it('has fakes of which no two are equal where calls run side by side', async () => {
    const vault = new Vault()
    const originals = ['Jane Miller', 'Bob Jones', 'Jane Miller']
    const answers = await Promise.all(originals.map((text) => restored(text, echo, { method: 'fake' }, { vault })))
    const [jane, bob, again] = answers.map(({ asked }) => asked?.messages[0]?.content)
    expect(new Set([jane, bob, ...originals]).size, 'the calls may be served in any order').to.equal(4)
    expect(again).to.equal(jane)
    expect(answers.map(({ said }) => said)).to.deep.equal(originals)
  })

  describe('by a detector that needs context', () => {
    const named = finder('(?<=[Mm]y name is )[\\w’İ]+', 'PERSON')
    const pii: SpanDetector = { ...names, inspect: (request, call) => named.inspect(request, call) }
    const cases: Readonly<Record<string, readonly [text: string, asked: string]>> = {
      'hides a name wherever it stands': [
        'my name is anouk. Yours, Anouk/ANOUK',
        'my name is <PERSON_1>. Yours, <PERSON_2>/<PERSON_3>',
      ],
      'hides a name in JSON': [
        '{"a": "my name is anouk", "b": ["\\nanouk"]}',
        '{"a": "my name is <PERSON_1>", "b": ["\\n<PERSON_1>"]}',
      ],
      'hides a name whose lower case is longer': [
        'my name is İrem. Yours, İrem or İREM',
        'my name is <PERSON_1>. Yours, <PERSON_1> or <PERSON_2>',
      ],
      'leaves parts of words': [
        'my name is anouk, not anouka, danouk or anouk_1',
        'my name is <PERSON_1>, not anouka, danouk or anouk_1',
      ],
      'leaves what is a word without a capital': [
        'My name is Grace, by grace of Grace',
        'My name is <PERSON_1>, by grace of <PERSON_1>',
      ],
      'leaves short words': ['my name is will, I will', 'my name is <PERSON_1>, I will'],
      'leaves short numbers': ['my name is 42, not 42', 'my name is <PERSON_1>, not 42'],
    }
    for (const [what, [text, expected]] of Object.entries(cases))
      it(what, async () => {
        const { asked, said } = await restored(text, echo, {}, { detectors: { pii } })
        expect(asked?.messages[0]?.content).to.equal(expected)
        expect(said).to.equal(text)
      })

    it('hides what answers have when they come back', async () => {
      const vault = new Vault()
      const first = await restored(
        'my name is anouk',
        saying([{ delta: 'Hello <PERSON_1>' }]),
        {},
        { vault, detectors: { pii } },
      )
      const messages = [{ role: 'assistant' as const, content: first.said }]
      const { asked } = await restored({ messages }, echo, {}, { vault: new Vault(vault.texts), detectors: { pii } })
      expect([first.said, asked?.messages[0]?.content]).to.deep.equal(['Hello anouk', 'Hello <PERSON_1>'])
    })
  })

  it('has one substitute for what one turn says, and the next goes on with', async () => {
    const messages = ['1', 'jane@acme.com', '2'].map((content) => ({ role: 'user' as const, content }))
    // An address may begin in one turn and end in another.
    const mails: SpanDetector = {
      ...names,
      inspect: (request, call) => finder('[a-z\\d@.]+@[a-z\\d@.]+', 'EMAIL_ADDRESS').inspect(request, call),
    }
    const { asked } = await restored({ messages }, echo, { method: 'fake' }, { detectors: { pii: mails } })
    expect(asked?.messages.map(({ content }) => content)).to.deep.equal(['1', 'ann@example.org', '2'])
  })

  it('passes checks that would block its substitutes, and no other name', async () => {
    const output = { pii: { ...enforce, budget: 5000, action: 'block' } } as const
    const policy = { input: { pii: restoring({ method: 'fake' }) }, output }
    const ask = (backend: ChatCapability) => restored('Write to Jane Miller.', backend, {}, { policy })
    expect((await ask(echo)).said).to.equal('Write to Jane Miller.')
    expect((await ask(saying([{ delta: 'Write to Bob Jones.' }]))).error).to.equal('pii detected')
  })

  for (const mode of ['enforce', 'shadow'] as const)
    it(`shows substitutes to the checks of what comes out: ${mode}`, async () => {
      const seen: string[] = []
      const toxicity: Detector = {
        inspect: ({ text }) => {
          seen.push(text)
          return inspection({})
        },
      }
      const policy = { input: { pii: restoring({ method: 'fake' }) }, output: { toxicity: { ...enforce, mode } } }
      const { said } = await restored(
        'Write to Jane Miller.',
        echo,
        {},
        { policy, detectors: { pii: names, toxicity } },
      )
      expect(said).to.equal('Write to Jane Miller.')
      expect(seen).to.deep.equal(['Write to Ann Smith.'])
    })

  it('does not restore what the policy does not, whatever the vault has', async () => {
    const vault = new Vault([{ type: 'PERSON', original: 'Jane Miller', substitute: '<PERSON_1>' }])
    for (const policy of [{ restore: false }, { method: 'mask' }, { mode: 'shadow' }] as const)
      expect((await restored('Bob Jones', saying([{ delta: '<PERSON_1>' }]), policy, { vault })).said).to.equal(
        '<PERSON_1>',
      )
  })

  it('shows nothing of the vault to those who print it', async () => {
    const vault = new Vault()
    await restored('Jane Miller', echo, { method: 'fake' }, { vault })
    expect(vault.texts).to.have.length(1)
    for (const shown of [
      inspect(vault, { depth: 9, showHidden: true }),
      JSON.stringify(vault),
      JSON.stringify({ vault }),
    ])
      expect(shown).not.to.match(/Jane|Ann/)
  })
})
