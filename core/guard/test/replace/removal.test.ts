/** What is removed leaves nothing together that a check before it is there for. */

import { expect } from 'chai'
import { chat, isSallyportError, scoreCheck, spanCheck } from '@sallyport/core'
import type { ChatCapability } from '@sallyport/core'
import { testCall } from '@sallyport/testing'
import { guard } from '../../src/guard.js'
import { activeCheck } from '../../src/policy/active-check.js'
import type { ActiveCheck } from '../../src/policy/active-check.js'
import { echo, enforce, finder, replace } from '../support.js'

const stages = { input: 'Looks.', output: 'Looks.' }
const declared = (name: string, order: number) => spanCheck(name, { stages, order, message: `${name} found` })
const secret = (action: 'block' | 'replace'): ActiveCheck =>
  activeCheck('secret', declared('secret', 1), { check: 'secret', ...replace, action }, finder('badword', 'SECRET'))
const rude = scoreCheck('rude', { stages, order: 2, message: 'rude found' })
const scored = activeCheck('rude', rude, { check: 'rude', ...enforce }, finder('badword', 'RUDE'))
const links = (mode: 'enforce' | 'shadow' = 'enforce'): ActiveCheck => {
  const policy = { check: 'links', ...replace, mode, method: 'remove' } as const
  return activeCheck('links', declared('links', 3), policy, finder('xx', 'LINK'))
}

const ask = async (text: string, stage: 'input' | 'output', checks: readonly ActiveCheck[], size: number) => {
  const backend = echo([size])
  const guarded = guard<ChatCapability>(chat, backend, {
    checks: { input: [], output: [], [stage]: checks },
    onVerdict: () => undefined,
    onFailure: () => undefined,
  })
  let said = ''
  try {
    for await (const chunk of guarded.stream({ messages: [{ role: 'user', content: text }] }, testCall()))
      said += 'delta' in chunk ? chunk.delta : ''
  } catch (error) {
    if (!isSallyportError(error)) throw error
    return error.message
  }
  return stage === 'input' ? backend.seen.join('') : said
}

describe('a text from which something is removed', () => {
  const cases: [what: string, text: string, checks: ActiveCheck[], becomes: RegExp][] = [
    ['is blocked where a check before it finds something then', 'a badxxword.', [secret('block'), links()], /^secret/],
    ['is replaced where such a check replaces', 'a badxxword.', [secret('replace'), links()], /^a <SECRET>\.$/],
    ['is judged again', 'a badxxword.', [scored, links()], /^rude found/],
    ['is looked through for what the removal puts together', 'a bxxxxadword.', [secret('block'), links()], /^secret/],
    ['is looked through as often as that goes on', 'a badxxxxword.', [secret('block'), links()], /^secret/],
    ['passes where nothing is found', 'a goodxxword.', [secret('block'), scored, links()], /^a goodword\.$/],
    ['is left alone in shadow', 'a badxxword.', [secret('block'), links('shadow')], /^a badxxword\.$/],
  ]
  for (const stage of ['input', 'output'] as const)
    for (const [what, text, checks, becomes] of cases)
      for (const size of [1, 64])
        it(`${what}: ${stage}, ${size} at a time`, async () => {
          expect(await ask(text, stage, checks, size)).to.match(becomes)
        })

  /** Cut between two sentences, and for want of blanks between two characters. */
  const cut = [
    `Here it is, as you have asked me for it a while ago: badxx. word, and so it goes on.`,
    ...Array.from({ length: 24 }, (_, at) => `${'界'.repeat(490 + at)}(badxxword)${'界'.repeat(700)}`),
  ]
  for (const text of cut)
    it(`is looked through as a whole: ${text.length} characters`, async () => {
      const policy = { check: 'links', ...replace, method: 'remove' } as const
      const stops = activeCheck('links', declared('links', 3), policy, finder('xx(?:[.] )?', 'LINK'))
      for (const size of [7, 4096])
        expect(await ask(text, 'output', [secret('block'), stops], size)).to.equal('secret found')
    })

  it('is given up where each removal makes up another one', async () => {
    const policy = { check: 'links', ...replace, method: 'remove' } as const
    const brackets = activeCheck('links', declared('links', 3), policy, finder('[(][^()]*[)]', 'LINK'))
    const text = (depth: number) => `a ${'('.repeat(depth)}${')'.repeat(depth)}b`
    expect(await ask(text(5), 'input', [brackets], 64)).to.equal('a b')
    expect(await ask(text(6), 'input', [brackets], 64)).to.equal('links found')
    expect(await ask(text(6), 'output', [brackets], 64)).to.equal('links found')
  })
})
