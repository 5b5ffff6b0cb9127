import { createKernel, toxicity } from '@sallyport/core'
import type { Kernel } from '@sallyport/core'
import { expect } from 'chai'
import plugin from '../src/index.js'
import { standIn } from './stand-in.js'
import { callOf } from './support.js'

describe('toxicity', () => {
  let kernel: Kernel
  before(async () => {
    kernel = await createKernel({ plugins: [standIn, plugin], models: { toxicity: { backend: 'toxicity' } } })
  })
  after(() => kernel.stop())

  const inspect = (text: string, before?: string) =>
    kernel.get(toxicity, 'toxicity').inspect({ text, ...(before !== undefined && { before }) }, callOf())

  it('is told by the model, with the category that it reads like', async () => {
    const { score, findings, explanation } = await inspect('grumbel')
    expect(score).to.be.at.least(0.5)
    expect(findings).to.deep.equal([{ type: 'harassment', start: 0, end: 7, score }])
    expect(explanation).to.contain('harassment')
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

  it('is not hidden by spelling', async () => {
    expect((await inspect('g o  k i l l  y o u r s e l f')).score).to.be.at.least(0.5)
  })

  it('is not found in harmless words', async () => {
    const { score, findings } = await inspect('How do I kill a process that hangs?')
    expect(score).to.be.below(0.5)
    expect(findings).to.deep.equal([])
  })
})
