import { expect } from 'chai'
import { embedding } from '@sallyport/core'
import type { EmbeddingRequest } from '@sallyport/core'
import { createKernel } from '@sallyport/kernel'
import { testCall } from '@sallyport/testing'
import { referencePlugin } from '@sallyport/testing/reference'
import plugin from '@sallyport/content-checks'
import { TopicsDetector } from '../../src/topics/detector.js'

const about = 'Tell me about gambling and roulette at the casino.'

/** A model whose vectors say which of some words a text has; counts what it is asked. */
const wordModel = (...words: readonly string[]) => {
  const asked: string[] = []
  const embed = ({ inputs }: EmbeddingRequest) => {
    const texts = inputs.map((input) => ('text' in input ? (input.text ?? '').toLowerCase() : ''))
    asked.push(...texts)
    const vectors = texts.map((text) => Float32Array.from([...words.map((word) => Number(text.includes(word))), 0.2]))
    return Promise.resolve({ vectors, promptTokens: 0 })
  }
  return { asked, detector: new TopicsDetector(() => ({ embed })) }
}

const casino = { gambling: ['Which casino is best?', 'Is a casino fair?'] }
const cooking = { cooking: ['How long does pasta boil?', 'Pasta with garlic'] }

describe('topics', () => {
  const inspect = (detector: TopicsDetector, text: string, options: object, before?: string) =>
    detector.inspect({ text, options, ...(before === undefined ? {} : { before }) }, testCall())

  it('finds the part of a text that is about a refused subject, by its name', async () => {
    const { detector } = wordModel('casino', 'pasta')
    const filler = 'It rained for most of the day, and nobody went out. '.repeat(8)
    const part = 'Then they talked about which casino to visit.'
    const text = `${filler}\n${part}\n${filler}`
    const { findings, score, explanation } = await inspect(detector, text, { refused: { ...cooking, ...casino } })
    expect(score).to.be.at.least(0.5)
    expect(explanation).to.equal('has parts about gambling')
    expect(findings.map(({ type }) => type)).to.deep.equal(['gambling'])
    expect(findings[0]!.start).to.be.at.most(text.indexOf(part))
    expect(findings[0]!.end).to.be.at.least(text.indexOf(part) + part.length)
  })

  it('finds what is about none of the allowed subjects', async () => {
    const { detector } = wordModel('casino', 'pasta')
    const options = { allowed: cooking }
    expect((await inspect(detector, 'How do I make pasta for six people?', options)).score).to.be.below(0.5)
    const { score, findings } = await inspect(detector, 'Which casino should I go to?', options)
    expect(score).to.be.at.least(0.5)
    expect(findings.map(({ type }) => type)).to.deep.equal(['other'])
  })

  it('lets pass what is nearer to an allowed subject than to a refused one', async () => {
    const { detector } = wordModel('casino', 'pasta', 'garlic')
    const options = {
      refused: { ...casino, pasta: ['pasta'] },
      allowed: { kitchen: ['pasta with garlic', 'garlic pasta'] },
    }
    expect((await inspect(detector, 'Is there garlic in this pasta dish?', options)).score).to.be.below(0.5)
  })

  for (const text of ['', 'Casino?', '12345 67890 12345 67890'])
    it(`lets pass what is too short to tell, and says so: "${text}"`, async () => {
      const { detector } = wordModel('casino')
      const { score, reason } = await inspect(detector, text, { refused: casino })
      expect({ score, reason }).to.deep.equal({ score: 0, reason: 'too short' })
    })

  it('tells a short part by what stands before it', async () => {
    const { detector } = wordModel('casino')
    const { findings } = await inspect(detector, ' the casino.', { refused: casino }, 'The two of them went to')
    expect(findings.map(({ start, end }) => [start, end])).to.deep.equal([[0, 12]])
  })

  it('asks for the vectors of examples once', async () => {
    const { asked, detector } = wordModel('casino')
    for (let time = 0; time < 3; time += 1)
      await inspect(detector, 'It rained for most of the day.', { refused: { ...casino } })
    expect(asked.filter((text) => text === 'which casino is best?')).to.have.length(1)
  })

  it('tries again where the model has failed', async () => {
    let broken = true
    const { detector: working } = wordModel('casino')
    const { detector } = wordModel('casino')
    const embed = (request: EmbeddingRequest) =>
      broken ? Promise.reject(new Error('down')) : working['model']().embed(request)
    const failing = new TopicsDetector(() => ({ embed }))
    expect(await inspect(failing, about, { refused: casino }).catch(String)).to.equal('Error: down')
    broken = false
    expect((await inspect(failing, about, { refused: casino })).score).to.equal(
      (await inspect(detector, about, { refused: casino })).score,
    )
  })

  it('fails closed without subjects', async () => {
    const { detector } = wordModel('casino')
    for (const options of [undefined, {}, { refused: {} }]) {
      const error = await detector.inspect({ text: about, options }, testCall()).catch((reason: unknown) => reason)
      expect(error).to.have.property('code', 'safeguard_unavailable')
    }
  })

  it('needs a model with vectors', async () => {
    const options = { embedding: 'nowhere' }
    const made = createKernel({
      plugins: [referencePlugin, plugin],
      models: { topics: { backend: 'topics', options } },
    })
    const error = await made.catch((reason: unknown) => reason)
    expect(String(error)).to.include(`no other model with ${embedding.name}`)
  })
})
