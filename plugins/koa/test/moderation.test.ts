/** `POST /v1/moderations`. */

import type { ConfigInput, Finding } from '@sallyport/core'
import { expect } from 'chai'
import { categoryScores, moderationCategories } from '../src/routes/checks/moderation-categories.js'
import { testKernel } from './support/kernel.js'
import type { TestModel } from './support/kernel.js'
import { speaker } from './support/models.js'
import { sharedServer, withServer } from './support/server.js'

interface Result {
  flagged: boolean
  categories: Record<string, boolean>
  category_scores: Record<string, number>
  category_applied_input_types: Record<string, string[]>
}

interface Moderation {
  id: string
  model: string
  results: Result[]
}

const finding = (type: string, score: number): Finding => ({ type, start: 0, end: 1, score })
const inspection = (score: number, findings: Finding[] = []) => ({
  ...{ score, findings },
  explanation: '',
  detector: 'test/1',
  latency: 1,
})

/** Scores by a word, and names a category for one of them. */
const detector = (id: string, word: string): TestModel => ({
  id,
  services: {
    toxicity: {
      inspect: ({ text }: { text: string }) => {
        if (text.includes('break')) return Promise.reject(new Error(`cannot read ${text}`))
        const score = text.includes(word) ? 0.7 : 0.2
        return Promise.resolve(inspection(score, text.includes('blood') ? [finding('violence/graphic', 0.9)] : []))
      },
    },
  },
})

const models = [speaker, detector('first', 'awful'), detector('second', 'rude')]

const moderate = async (body: object, config: ConfigInput = {}): Promise<{ status: number; body: Moderation }> => {
  const response = await (await sharedServer(models, config)).post('/v1/moderations', body)
  return { status: response.status, body: (await response.json()) as Moderation }
}

describe('moderation', () => {
  const part = (text: string) => ({ type: 'text', text })
  const inputs: [string, unknown, boolean[]][] = [
    ['a string', 'awful', [true]],
    ['a harmless string', 'nice', [false]],
    ['several strings, one result each', ['nice', 'awful', 'nice'], [false, true, false]],
    ['parts, as one input', [part('nice'), part('awful')], [true]],
    ['what is split over parts', [part('aw'), part('ful')], [true]],
    ['harmless parts', [part('nice')], [false]],
  ]
  for (const [name, input, flagged] of inputs)
    it(`takes ${name}`, async () => {
      const { status, body } = await moderate({ input })
      expect(status, JSON.stringify(body)).to.equal(200)
      expect(body.results.map((result) => result.flagged)).to.deep.equal(flagged)
    })

  it("has the form of OpenAI's", async () => {
    const { body } = await moderate({ input: 'awful' })
    expect(body.id).to.match(/^modr-[\da-f-]{36}$/)
    expect(body).to.have.all.keys('id', 'model', 'results')
    expect(body.model).to.equal('first')
    const [result] = body.results
    for (const member of ['categories', 'category_scores', 'category_applied_input_types'] as const)
      expect(Object.keys(result![member])).to.deep.equal([...moderationCategories])
    expect(result!.category_applied_input_types['hate']).to.deep.equal(['text'])
    for (const score of Object.values(result!.category_scores)) expect(score).to.be.within(1e-6, 1 - 1e-6)
  })

  it('marks the categories whose score reaches the threshold', async () => {
    const { body } = await moderate({ input: ['awful blood', 'awful', 'blood'] })
    const marked = body.results.map(({ categories }) => Object.keys(categories).filter((name) => categories[name]))
    expect(marked).to.deep.equal([['violence', 'violence/graphic'], ['harassment'], []])
    expect(body.results[0]!.category_scores).to.include({ violence: 0.7, 'violence/graphic': 0.7, harassment: 1e-6 })
  })

  for (const [threshold, flagged] of [
    [0.71, false],
    [0.7, true],
    [0.2, true],
  ] as const)
    it(`flags by the threshold that callers have: ${threshold}`, async () => {
      const { body } = await moderate({ input: 'awful' }, { callerPolicy: { output: { toxicity: { threshold } } } })
      expect(body.results[0]!.flagged).to.equal(flagged)
    })

  const both = { detectors: ['first', { model: 'second', threshold: 0.9 }] }
  for (const [model, input, answers, flagged] of [
    [undefined, 'awful', 'first+second', true],
    [undefined, 'rude', 'first+second', false],
    ['omni-moderation-latest', 'awful', 'first+second', true],
    ['second', 'awful', 'second', false],
    ['first', 'awful', 'first', true],
  ] as const)
    it(`asks the detectors of the configuration, or the one that is named: ${String(model)}, ${input}`, async () => {
      const config = { callerPolicy: { output: { toxicity: both } } }
      const { body } = await moderate({ input, ...(model === undefined ? {} : { model }) }, config)
      expect([body.model, body.results[0]!.flagged]).to.deep.equal([answers, flagged])
    })

  for (const [model, status, answers] of [
    [undefined, 200, 'first'],
    ['', 200, 'first'],
    ['second', 200, 'second'],
    ['omni-moderation-latest', 200, 'first'],
    ['text-moderation-007', 200, 'first'],
    ['third', 404, undefined],
    ['speaker', 404, undefined],
  ] as const)
    it(`answers ${status} for the model ${String(model)}`, async () => {
      const { body, ...answer } = await moderate({ input: 'x', ...(model === undefined ? {} : { model }) })
      expect(answer.status).to.equal(status)
      expect(body.model).to.equal(answers)
    })

  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
  const refused: [string, object, string | null, string][] = [
    ['no input', {}, 'input', 'is required'],
    ['null', { input: null }, 'input', 'is required'],
    ['an empty string', { input: '' }, 'input', 'must be a non-empty string'],
    ['an empty list', { input: [] }, 'input', 'must be a non-empty string'],
    ['an empty string in a list', { input: ['a', ''] }, 'input[1]', 'must be a non-empty string or a part'],
    ['a number', { input: 7 }, 'input', 'must be a non-empty string'],
    ['token ids', { input: [1, 2] }, 'input[0]', 'must be a non-empty string or a part'],
    ['an image', { input: [part('a'), image] }, 'input[1]', 'images cannot be moderated'],
    ['an unknown part', { input: [{ type: 'audio' }] }, 'input[0].type', 'must be'],
    ['a part without text', { input: [{ type: 'text' }] }, 'input[0].text', 'is required'],
    ['strings among parts', { input: ['a', part('b')] }, 'input', 'must not mix'],
    ['a misplaced safeguard', { input: 'a', pii: 'block' }, 'pii', 'takes no safeguard options'],
  ]
  for (const [name, body, param, problem] of refused)
    it(`refuses ${name}`, async () => {
      const answer = await moderate(body)
      expect(answer.status).to.equal(400)
      const { error } = answer.body as unknown as { error: { param: string | null; message: string; type: string } }
      expect(error).to.include({ param, type: 'invalid_request_error' })
      expect(error.message).to.contain(problem)
    })

  for (const input of ['break', ['nice', 'break']])
    it(`is unavailable where the detector fails: ${JSON.stringify(input)}`, async () => {
      const { status, body } = await moderate({ input })
      expect(status).to.equal(503)
      expect(body).to.deep.equal({
        error: {
          message: 'safeguard unavailable: toxicity',
          type: 'server_error',
          code: 'safeguard_unavailable',
          param: null,
        },
      })
    })

  it('is not there without a detector, nor outside of /v1', async () => {
    await withServer(await testKernel([speaker]), {}, async ({ post }) => {
      const answer = await post('/v1/moderations', { input: 'a' })
      expect(answer.status).to.equal(404)
      expect(await answer.text()).to.contain('toxicity')
      expect((await post('/moderations', { input: 'a' })).status).to.equal(404)
    })
  })
})

describe('scores of categories', () => {
  const cases: [string, ReturnType<typeof inspection>[], Record<string, number>][] = [
    ['are those of findings named like them', [inspection(0.9, [finding('hate', 0.9)])], { hate: 0.9 }],
    ['are told in any case', [inspection(0.9, [finding('HATE', 0.9)])], { hate: 0.9 }],
    [
      'count for the category of which one is a part',
      [inspection(0.9, [finding('sexual/minors', 0.9)])],
      { sexual: 0.9, 'sexual/minors': 0.9 },
    ],
    [
      'are the highest of several findings',
      [inspection(0.9, [finding('hate', 0.3), finding('hate', 0.6), finding('violence', 0.9)])],
      { hate: 0.6, violence: 0.9 },
    ],
    ['go to harassment where nothing is named', [inspection(0.9)], { harassment: 0.9 }],
    [
      'go to harassment where nothing known is named',
      [inspection(0.9, [finding('toxicity', 0.9)])],
      { harassment: 0.9 },
    ],
    [
      'go to what was found most where the whole scores higher',
      [inspection(0.9, [finding('hate', 0.3), finding('violence', 0.4)])],
      { hate: 0.3, violence: 0.9 },
    ],
    ['are never above that of the text', [inspection(0.5, [finding('hate', 0.9)])], { hate: 0.5 }],
    [
      'are the highest of several texts',
      [inspection(0.2, [finding('hate', 0.2)]), inspection(0.8, [finding('hate', 0.8)]), inspection(0.1)],
      { hate: 0.8, harassment: 0.1 },
    ],
    [
      'are none of what is named like no whole category',
      [inspection(0.9, [finding('hateful', 0.9)])],
      { harassment: 0.9 },
    ],
  ]
  for (const [name, inspections, expected] of cases)
    it(name, () => {
      const scores = Object.entries(categoryScores(inspections)).filter(([, score]) => score > 0)
      expect(Object.fromEntries(scores)).to.deep.equal(expected)
    })
})
