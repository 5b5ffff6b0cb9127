import { createKernel } from '@sallyport/kernel'
import { toxicity } from '@sallyport/checks'
import type { Kernel } from '@sallyport/core'
import { testCall } from '@sallyport/testing'
import { expect } from 'chai'
import plugin from '../src/index.js'
import { asked, slow, standIn } from './stand-in.js'

describe('toxicity', () => {
  let kernel: Kernel
  before(async () => {
    kernel = await createKernel({ plugins: [standIn, plugin], models: { toxicity: { backend: 'toxicity' } } })
  })
  after(() => kernel.stop())

  const inspect = (text: string, before?: string) =>
    kernel.get(toxicity, 'toxicity').inspect({ text, ...(before !== undefined && { before }) }, testCall())

  it('is told by the model, with the category that it reads like', async () => {
    const { score, findings, explanation } = await inspect('grumbel')
    expect(score).to.be.at.least(0.5)
    expect(findings).to.deep.equal([{ type: 'harassment', start: 0, end: 7, score }])
    expect(explanation).to.contain('harassment')
  })

  it('has the score of a model as it is, where nothing was measured with it', async () => {
    const models = { toxicity: { backend: 'toxicity', options: { model: 'late' } }, late: { backend: 'slow' } }
    const other = await createKernel({ plugins: [slow, plugin], models })
    expect((await other.get(toxicity).inspect({ text: 'grass' }, testCall())).score).to.be.closeTo(0.001, 1e-9)
    await other.stop()
  })

  it('takes an alias of the model guard for that model', async () => {
    const models = {
      toxicity: { backend: 'toxicity', options: { model: 'watch' } },
      guard: { backend: 'slow', aliases: ['watch'] },
    }
    const other = await createKernel({ plugins: [slow, plugin], models })
    const { score } = await other.get(toxicity).inspect({ text: 'grass' }, testCall())
    expect(score).to.equal((await inspect('grass')).score)
    await other.stop()
  })

  it('is told by rules, where the model is silent', async () => {
    const { score, findings } = await inspect('Go kill yourself')
    expect(score).to.be.at.least(0.5)
    expect(findings[0]).to.include({ type: 'self-harm', end: 16 })
  })

  it('is told where it begins before the text', async () => {
    const { findings } = await inspect('kill you.', 'I will ')
    expect(findings[0]).to.include({ type: 'harassment/threatening', start: 0, end: 8 })
  })

  it('is told by the model where a sentence is cut in two', async () => {
    asked.splice(0)
    const lead = 'Nobody knows where it rains more than here. '.repeat(8)
    const { findings, score } = await inspect('bel they are, as we all know.', `${lead}What a lot of grum`)
    expect(score).to.be.at.least(0.5)
    expect(findings).to.deep.equal([{ type: 'harassment', start: 0, end: 29, score }])
    expect(asked.flat()[0]).to.match(/than here\. What a lot of grumbel they are, as we all know\.$/)
  })

  it('is not told of the sentences before', async () => {
    for (const before of ['What a lot of grumbel! ', '"What a lot of grumbel." ', 'grumbel\n'])
      expect((await inspect('Thank you.', before)).findings, before).to.deep.equal([])
  })

  it('is not hidden by one digit in a word', async () => {
    expect((await inspect('grumb3l')).score).to.be.at.least(0.5)
  })

  it('is not hidden by spelling', async () => {
    expect((await inspect('g o  k i l l  y o u r s e l f')).score).to.be.at.least(0.5)
  })

  for (const [name, text, type] of [
    ['a threat without a swear word', 'I will find out where you live and slit your throat.', 'harassment/threatening'],
    [
      'a warning to somebody whose ways are known',
      'I know where your kids go to school. Be careful.',
      'harassment/threatening',
    ],
    ['contempt', 'I hate you.', 'harassment'],
    ['contempt, in capitals', 'I HATE YOU!!', 'harassment'],
    ['a wish of death', 'nobody would miss you if you were gone', 'harassment'],
  ] as const)
    it(`is told by rules: ${name}`, async () => {
      const { score, findings } = await inspect(text)
      expect(score).to.be.at.least(0.5)
      expect(findings.map(({ type }) => type)).to.include(type)
    })

  for (const text of [
    'He wrote to the mayor "I will slit your throat" and was fined.',
    'I know where your kids go to school, mine go there, too!',
    'I would kill for a pizza.',
  ])
    it(`is not told by rules: ${text}`, async () => expect((await inspect(text)).score).to.be.below(0.5))

  it('is not found in harmless words', async () => {
    const { score, findings } = await inspect('How do I kill a process that hangs?')
    expect(score).to.be.below(0.5)
    expect(findings).to.deep.equal([])
  })
})
