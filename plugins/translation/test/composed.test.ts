import { expect } from 'chai'
import { createKernel } from '@sallyport/kernel'
import { translation } from '@sallyport/core'
import type { ConfigInput, Kernel } from '@sallyport/core'
import { runConformance } from '@sallyport/testing'
import reference from '@sallyport/testing/reference'
import { errorOf } from '@sallyport/stand-ins/errors'
import plugin from '../src/index.js'
import { models } from './support/models.js'

const configured = (options: object): ConfigInput => ({
  plugins: [models, reference, plugin],
  models: { composed: { backend: 'translation', options } },
})

const text = 'The old cat drinks milk and the small house is in the garden.'
const request = { text, source: 'en', target: 'de' }

describe('the composed translation', () => {
  const translatedBy = async (options: object, asked = request) => {
    const kernel = await createKernel(configured(options))
    try {
      return (await kernel.get(translation, 'composed').translate(asked)).candidates
    } finally {
      await kernel.stop()
    }
  }
  const outcomes = async (options: object) =>
    (await translatedBy(options)).map(({ model, status }) => `${model} ${status}`)

  for (const [name, options, expected] of [
    ['asks the first engine alone where that is good', { engines: ['good', 'copying'] }, ['good success']],
    ['goes on where an engine copies', { engines: ['copying', 'good'] }, ['good success', 'copying vetoed']],
    ['goes on where an engine loops', { engines: ['looping', 'good'] }, ['good success', 'looping vetoed']],
    ['goes on where an engine fails', { engines: ['failing', 'good'] }, ['good success', 'failing failed']],
    [
      'puts the vetoed before the failed',
      { engines: ['failing', 'looping', 'copying'] },
      ['looping vetoed', 'copying vetoed', 'failing failed'],
    ],
    [
      'asks in the order of the pair',
      { engines: ['good', 'failing', 'copying'], order: [{ target: 'de', engines: ['copying', 'good'] }] },
      ['good success', 'copying vetoed'],
    ],
    [
      'leaves orders of other pairs alone',
      { engines: ['good', 'failing'], order: [{ source: 'en', target: 'fr', engines: ['failing'] }] },
      ['good success'],
    ],
    ['leaves out engines that do not know the pair', { engines: ['spanish', 'good'] }, ['good success']],
    ['lets everything pass from 0 on', { engines: ['copying', 'good'], threshold: 0 }, ['copying success']],
  ] as const)
    it(name, async () => {
      expect(await outcomes(options)).to.deep.equal(expected)
    })

  it('compares what both texts mean where there is a model for it', async () => {
    const about = { ...request, text: 'The old cat drinks water in the garden.' }
    const plain = await translatedBy({ engines: ['elsewhere'] }, about)
    expect(plain[0]).to.include({ status: 'success' })
    const compared = await translatedBy({ engines: ['elsewhere', 'good'], vectors: 'vectors' }, about)
    expect(compared.map(({ model, status }) => `${model} ${status}`)).to.deep.equal([
      'good success',
      'elsewhere vetoed',
    ])
  })

  for (const [name, engines, code] of [
    ['says what the first failed with where all fail', ['failing'], 'overloaded'],
    ['asks nobody else where a safeguard refuses', ['blocking', 'good'], 'content_blocked'],
  ] as const)
    it(name, async () => {
      expect((await errorOf(translatedBy({ engines }))).code).to.equal(code)
    })

  describe('as to pairs', () => {
    let kernel: Kernel
    before(async () => {
      const options = {
        engines: ['good', 'reference-translation'],
        order: [{ source: 'de', target: 'en', engines: ['good'] }],
      }
      kernel = await createKernel(configured(options))
    })
    after(() => kernel.stop())

    it('lists those that some engine of their order translates', async () => {
      expect((await kernel.get(translation, 'composed').pairs({})).pairs).to.deep.equal([
        { source: 'en', target: 'de' },
      ])
    })

    it('refuses the others, and says what there is', async () => {
      const refused = await errorOf(
        kernel.get(translation, 'composed').translate({ ...request, source: 'de', target: 'en' }),
      )
      expect(refused).to.include({
        code: 'unsupported',
        message: 'no translation from de to en; there are: en to de',
      })
    })

    it('takes a language without its region where it has only that', async () => {
      const { candidates } = await kernel
        .get(translation, 'composed')
        .translate({ ...request, source: 'en-GB', target: 'de-AT' })
      expect(candidates[0]).to.include({ model: 'good', status: 'success' })
    })
  })
})

describe('the options of a composed translation', () => {
  for (const [name, options, problem] of [
    ['an engine that there is not', { engines: ['nobody'] }, 'its option engines[0] names "nobody"'],
    ['itself', { engines: ['composed'] }, 'its option engines[0] names "composed"'],
    ['an order of another engine', { engines: ['good'], order: [{ engines: ['copying'] }] }, 'not among its engines'],
    ['what is no language', { engines: ['good'], order: [{ target: 'Deutsch!', engines: ['good'] }] }, 'BCP-47'],
    ['vectors of a model without any', { engines: ['good'], vectors: 'good' }, 'its option vectors names "good"'],
  ] as const)
    it(`refuse ${name}`, async () => {
      const error = await errorOf(createKernel(configured(options)))
      expect(error.code).to.equal('model_invalid')
      expect(error.message).to.include(problem)
    })
})

describe('translation by several engines', () => {
  runConformance(translation, {
    create: async () => {
      const kernel = await createKernel(configured({ engines: ['failing', 'reference-translation'], threshold: 0.3 }))
      return { service: kernel.get(translation, 'composed'), dispose: () => kernel.stop() }
    },
    facts: {
      translations: [
        { text: 'the cat is in the house and the dog drinks water', source: 'en', target: 'de', expected: 'Katze' },
        { text: 'die Sonne ist rot und die Stadt ist groß', source: 'de', target: 'en', expected: 'sun' },
      ],
    },
  })
})
