import { expect } from 'chai'
import fc from 'fast-check'
import type { ChatChunk } from '@sallyport/core'
import { chat } from '@sallyport/core'
import { testCall } from '@sallyport/testing'
import { enforce, finder, guard, reply } from '../support.js'
import { names, restored, restoring, saying, userSays, writer } from './support.js'

const asked = 'Jane Miller, Bob Jones, jane@acme.com, 4012 8888, O"Neil and JANE MILLER'

/** What stands in answers, substitutes and what looks like them. */
const parts = [
  ...['Ann Smith', 'ANN SMITH', 'ann smith', "Ann Smith's", 'Ann Smiths', 'Ann\nSmith', 'Ann Smithson', 'Ann', 'Smith'],
  ...[
    '<PERSON_1>',
    '<PERSON_12>',
    'PERSON_1',
    '<person_2>',
    '&lt;PERSON_1&gt;',
    '<PERS',
    'Tom Brown',
    'ann@example.org',
  ],
  ...[
    '4222222',
    '42',
    'https://',
    'evil.example/?q=',
    '![](',
    ')',
    '<img src="',
    '">',
    '\n\n',
    ' ',
    ' ',
    '. ',
    '.',
    '-x',
    '[1]: ',
  ],
  ...['{"a": "', '"}', '\\', '先生', 'é'],
]

const cut = (text: string, sizes: readonly number[]): string[] => {
  const pieces: string[] = []
  for (let at = 0, index = 0; at < text.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1
    pieces.push(text.slice(at, at + size))
    at += size
  }
  return pieces
}

describe('a restored stream', () => {
  for (const method of ['fake', 'category'] as const)
    for (const output of [{}, { toxicity: enforce }])
      it(`is the same however it is cut, by ${method}, ${'toxicity' in output ? 'checked' : 'unchecked'}`, () =>
        fc.assert(
          fc.asyncProperty(
            fc.array(fc.constantFrom(...parts), { maxLength: 24 }),
            fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 }),
            async (words, sizes) => {
              const text = words.join('')
              const context = {
                policy: { input: { pii: restoring({ method }) }, output },
                detectors: { pii: names, toxicity: finder('never found', 'x') },
              }
              const ask = (pieces: readonly string[]) =>
                restored(asked, saying(pieces.map((delta) => ({ delta }))), {}, context)
              const [whole, streamed] = [await ask([text]), await ask(cut(text, sizes))]
              expect(streamed.said).to.equal(whole.said)
              expect(streamed.verdicts.at(-1)?.unrestored).to.deep.equal(whole.verdicts.at(-1)?.unrestored)
            },
          ),
          { numRuns: 60 },
        ))

  it('restores a substitute that is cut over chunks', async () => {
    const { said } = await restored(
      'Jane Miller',
      writer((asked) => `Dear ${asked}, hello`, [1]),
    )
    expect(said).to.equal('Dear Jane Miller, hello')
  })

  it('holds nothing that is no beginning of a substitute', async () => {
    const heard: string[] = []
    async function* slowly(): AsyncGenerator<ChatChunk> {
      for (const delta of ['Dear ', 'x, <PER', 'SON_1>', ', hello', ' there']) {
        heard.push('model')
        yield await Promise.resolve({ delta })
      }
    }
    const context = { policy: { input: { pii: restoring() } }, detectors: { pii: names } }
    for await (const chunk of guard(chat, reply(slowly()), context).stream(userSays('Jane Miller'), testCall()))
      if ('delta' in chunk) heard.push(chunk.delta)
    expect(heard.filter(Boolean)).to.deep.equal([
      ...['model', 'Dear ', 'model', 'x, ', 'model', 'model', 'Jane Miller', ', hello', 'model', ' there'],
    ])
  })

  const inflected: Readonly<Record<string, string>> = {
    "Ann Smith's letter": "Jane Miller's letter",
    'Ann Smith’s letter': 'Jane Miller’s letter',
    'ANN SMITH, ann smith': 'JANE MILLER, jane miller',
    'Ann Smiths Brief, Ann Smithille': 'Jane Millers Brief, Ann Smithille',
    'Ann\n  Smith': 'Jane Miller',
    'Ann‑Smith, AnnSmith': 'Ann‑Smith, AnnSmith',
    'Joann Smith, Ann Smithsonian': 'Joann Smith, Ann Smithsonian',
    '请联系Ann Smith先生': '请联系Jane Miller先生',
    'Mail Ann@Example.org. ANN@EXAMPLE.ORG': 'Mail Jane@acme.com. JANE@ACME.COM',
    'Carls, Carla, Carlson': 'O"Neils, Carla, Carlson',
    'a carl, Carl, CARL': 'a carl, O"Neil, O"NEIL',
    '4222222, 42222222': '4012 8888, 42222222',
  }
  for (const [answer, expected] of Object.entries(inflected))
    it(`restores ${JSON.stringify(answer)}`, async () => {
      const asked = 'Jane Miller, jane@acme.com, O"Neil, 4012 8888'
      expect((await restored(asked, saying([{ delta: answer }]), { method: 'fake' })).said).to.equal(expected)
    })

  const placeholders: Readonly<Record<string, string>> = {
    'PERSON_1 and <PERSON_1>': 'Jane Miller and Jane Miller',
    '&lt;PERSON_1&gt; **PERSON_1**': 'Jane Miller **Jane Miller**',
    '<person_1>': 'Jane Miller',
    '<PERSON_11> PERSON_12 APERSON_1': '<PERSON_11> PERSON_12 APERSON_1',
    '<PERSON_1>’s': 'Jane Miller’s',
  }
  for (const [answer, expected] of Object.entries(placeholders))
    it(`restores ${answer}`, async () => {
      expect((await restored('Jane Miller', saying([{ delta: answer }]))).said).to.equal(expected)
    })

  it('leaves turns to others while it restores long JSON', async () => {
    const delta = JSON.stringify(Array(5000).fill('Dear Ann Smith, thank you for your letter.'))
    let [turns, isOver] = [0, false]
    const count = () => {
      turns += 1
      if (!isOver) setImmediate(count)
    }
    async function* answer(): AsyncGenerator<ChatChunk> {
      yield await Promise.resolve({ delta })
      setImmediate(count)
    }
    const { said } = await restored('Jane Miller', reply(answer()), { method: 'fake' })
    isOver = true
    expect(said).to.equal(delta.replaceAll('Ann Smith', 'Jane Miller'))
    expect(turns).to.be.above(10)
  }).timeout(60_000)

  it('restores reasoning, and what stands before other text', async () => {
    const { chunks, said } = await restored(
      'Jane Miller',
      saying([{ reasoning: 'It is <PER' }, { reasoning: 'SON_1>' }, { delta: 'To <PERSON_1' }, { delta: '>' }]),
    )
    const reasoning = chunks.map((chunk) => ('reasoning' in chunk ? chunk.reasoning : '')).join('')
    expect(reasoning).to.equal('It is Jane Miller')
    expect(said).to.equal('To Jane Miller')
    const kinds = chunks.map((chunk) => Object.keys(chunk)[0])
    expect(kinds.lastIndexOf('reasoning')).to.be.lessThan(kinds.indexOf('delta'))
  })

  it('drops the log-probabilities of what was restored', async () => {
    const logprobs = (token: string) => ({ delta: token, logprobs: [{ token, logprob: -1 }] })
    const { chunks } = await restored('Jane Miller', saying(['Hello ', '<PERSON', '_1>', ' there, you'].map(logprobs)))
    expect(JSON.stringify(chunks)).not.to.include('_1>').and.not.to.include('<PERSON')
    expect(JSON.stringify(chunks)).to.include('"token":"Hello "')
  })
})
