/** Scores of checks in shadow mode are kept for whoever chooses a threshold. */

import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { chat, silentLogger, Vault } from '@sallyport/core'
import type { CallOptions, Logger, Verdict } from '@sallyport/core'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { readShadowScores, scoreBins, ShadowScores } from '../src/checks/shadow-scores.js'
import { detector, mood, plugins, says } from './support/detectors.js'
import { says as streamOf, useKernels, withModel } from './support/kernels.js'

const verdict = (change: Partial<Verdict> = {}): Verdict => ({
  ...{ policy: 'default', check: 'injection', stage: 'input', verdict: 'pass', mode: 'shadow', order: 1, latency: 1 },
  score: 0.5,
  ...change,
})

const noon = Date.UTC(2030, 0, 31, 12)
const day = 86_400_000

describe('the scores of checks in shadow mode', () => {
  const directory = useTemporaryDirectory()
  const home = (name: string) => join(directory.path, name)
  const count = async (name: string, verdicts: readonly Verdict[], now = noon) => {
    const scores = new ShadowScores(home(name), silentLogger, () => now)
    for (const one of verdicts) scores.add(one, {})
    await scores.close()
  }
  /** The bins that are not empty. */
  const read = async (name: string, days = 7, now = noon) =>
    Object.fromEntries(
      Object.entries(await readShadowScores(home(name), days, now)).map(([check, bins]) => [
        check,
        Object.fromEntries(bins.flatMap((requests, bin) => (requests ? [[bin, requests]] : []))),
      ]),
    )

  it('are counted by policy, stage, check and bin', async () => {
    await count('bins', [
      ...[0, 0.005, 0.5, 0.999, 1].map((score) => verdict({ score })),
      verdict({ check: 'toxicity', stage: 'output', score: 0.25 }),
      verdict({ policy: 'strict' }),
    ])
    expect(await read('bins')).to.deep.equal({
      'default input injection': { 0: 2, 50: 1, [scoreBins - 1]: 2 },
      'default output toxicity': { 25: 1 },
      'strict input injection': { 50: 1 },
    })
  })

  it('are not counted of enforced checks, and where there is none', async () => {
    const { score: _, ...failed } = verdict({ verdict: 'unavailable' })
    await count('none', [verdict({ mode: 'enforce' }), failed, verdict({ score: NaN })])
    expect(await read('none')).to.deep.equal({})
  })

  it('count once for a request: the highest, on the day of the first', async () => {
    let now = noon - day
    const scores = new ShadowScores(home('request'), silentLogger, () => now)
    const [one, other] = [{}, {}]
    for (const score of [0.25, 0.75, 0.5]) scores.add(verdict({ score }), one)
    scores.add(verdict({ score: 0.5 }), other)
    now = noon
    scores.add(verdict({ score: 0.9 }), one)
    scores.add(verdict({ score: 0.5 }), {})
    await scores.close()
    expect(await read('request')).to.deep.equal({ 'default input injection': { 50: 2, 75: 1 } })
    expect(await read('request', 1)).to.deep.equal({ 'default input injection': { 50: 1 } })
  })

  it('are added up over processes and days, as many days as are asked for', async () => {
    await count('days', [verdict()], noon - 2 * day)
    await count('days', [verdict(), verdict()], noon - day)
    await count('days', [verdict()])
    await count('days', [verdict()])
    expect(await read('days', 1)).to.deep.equal({ 'default input injection': { 50: 2 } })
    expect(await read('days', 2)).to.deep.equal({ 'default input injection': { 50: 4 } })
    expect(await read('days', 3)).to.deep.equal({ 'default input injection': { 50: 5 } })
  })

  it('go to the day on which they were given', async () => {
    let now = noon - day
    const scores = new ShadowScores(home('midnight'), silentLogger, () => now)
    scores.add(verdict(), {})
    now = noon
    scores.add(verdict({ score: 0.75 }), {})
    await scores.close()
    expect(await read('midnight', 1)).to.deep.equal({ 'default input injection': { 75: 1 } })
    expect(await read('midnight', 2)).to.deep.equal({ 'default input injection': { 50: 1, 75: 1 } })
  })

  it('are deleted after a month', async () => {
    await count('month', [verdict()], noon - 40 * day)
    await count('month', [verdict()], noon - 31 * day)
    await count('month', [verdict()])
    expect(readdirSync(join(home('month'), 'shadow-scores'))).to.have.length(2)
  })

  it('do not disturb where they cannot be written', async () => {
    writeFileSync(home('file'), '')
    const warnings: string[] = []
    const logger: Logger = { ...silentLogger, warn: (_: object, message: string) => void warnings.push(message) }
    const scores = new ShadowScores(home('file'), logger, () => noon)
    scores.add(verdict(), {})
    await scores.close()
    expect(warnings).to.deep.equal(['the scores of checks in shadow mode could not be kept'])
  })

  const binsOf = (...counts: number[]) =>
    JSON.stringify({ 'input injection': [...counts, ...new Array<number>(98).fill(0)] })
  for (const [index, [what, content]] of [
    ['too few bins', '{"input injection": [1, 2]}'],
    ['half of what was written', '{"input injection": [1, 2'],
    ['nothing', ''],
    ['less than no request', binsOf(3, -1)],
    ['no request', binsOf(0, 0)],
  ].entries())
    it(`are refused where a file holds ${what}`, async () => {
      const name = `other${index}`
      await count(name, [verdict()])
      const [file = ''] = readdirSync(join(home(name), 'shadow-scores'))
      const path = join(home(name), 'shadow-scores', file)
      writeFileSync(path, content ?? '')
      const problem = await read(name).catch((error: unknown) => (error as Error).message)
      expect(problem).to.equal(`${path}: holds no counts of scores: remove it`)
    })
})

describe('a kernel with checks in shadow mode', () => {
  const directory = useTemporaryDirectory()
  const start = useKernels()
  const talker = withModel('talker', chat, {
    stream: () => streamOf({ delta: 'fine', choice: 0 }, { finish: 'stop', choice: 0 }),
  })
  const byWords = detector(mood, ({ text }) => says({ score: text.includes('angry') ? 0.75 : 0.25 }))
  const shadow = { mode: 'shadow' } as const
  const policies = {
    default: { input: { mood: shadow }, output: { mood: shadow } },
    strict: { input: { mood: { ...shadow, tone: 'low' } } },
  }
  const turns = ['calm', 'angry', 'calm again'].map((content) => ({ role: 'user', content }) as const)
  /** Two requests, of which the second has the first in its history, and whatever else. */
  const ask = async (home?: string, others: readonly CallOptions[] = []) => {
    const environment = home === undefined ? {} : { home }
    const kernel = await start({ plugins: [talker, ...plugins({ byWords })], policies }, environment)
    for (const messages of [turns.slice(0, 1), turns]) await kernel.get(chat).generate({ messages })
    for (const options of others) await kernel.get(chat).generate({ messages: turns }, options)
    await kernel.stop()
  }

  it('counts requests by the highest score of their texts, for each policy', async () => {
    await ask(directory.path, [{ policies: ['strict'] }])
    const found = Object.entries(await readShadowScores(directory.path, 1)).map(([name, bins]) => {
      return [name, bins[25], bins[75]]
    })
    expect(found).to.have.deep.members([
      ['default input mood', 1, 2],
      ['default output mood', 3, 0],
      ['strict input mood', 0, 1],
    ])
  })

  it('counts a request that takes several calls once', async () => {
    const home = join(directory.path, 'calls')
    const call = { vault: new Vault() }
    await ask(home, [call, call])
    const { 'default input mood': bins } = await readShadowScores(home, 1)
    expect([bins?.[25], bins?.[75]]).to.deep.equal([1, 2])
  })

  it('keeps nothing where it is not told to', async () => {
    const before = process.env['SALLYPORT_HOME']
    const home = join(directory.path, 'nothing')
    process.env['SALLYPORT_HOME'] = home
    try {
      await ask()
    } finally {
      if (before === undefined) delete process.env['SALLYPORT_HOME']
      else process.env['SALLYPORT_HOME'] = before
    }
    expect(existsSync(join(home, 'shadow-scores'))).to.equal(false)
  })
})
