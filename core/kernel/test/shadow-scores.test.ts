/** Scores of checks in shadow mode are kept for whoever chooses a threshold. */

import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { silentLogger } from '@sallyport/core'
import type { Logger, Verdict } from '@sallyport/core'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { readShadowScores, scoreBins, ShadowScores } from '../src/checks/shadow-scores.js'

const verdict = (change: Partial<Verdict> = {}): Verdict => ({
  ...{ check: 'injection', stage: 'input', verdict: 'pass', mode: 'shadow', order: 1, latency: 1, score: 0.5 },
  ...change,
})

const noon = Date.UTC(2030, 0, 31, 12)
const day = 86_400_000

describe('the scores of checks in shadow mode', () => {
  const directory = useTemporaryDirectory()
  const home = (name: string) => join(directory.path, name)
  const count = async (name: string, verdicts: readonly Verdict[], now = noon) => {
    const scores = new ShadowScores(home(name), silentLogger, () => now)
    for (const one of verdicts) scores.add(one)
    await scores.close()
  }
  /** The bins that are not empty. */
  const read = async (name: string, days = 7, now = noon) =>
    Object.fromEntries(
      Object.entries(await readShadowScores(home(name), days, now)).map(([check, bins]) => [
        check,
        Object.fromEntries(bins.flatMap((texts, bin) => (texts ? [[bin, texts]] : []))),
      ]),
    )

  it('are counted by stage, check and bin', async () => {
    await count('bins', [
      ...[0, 0.005, 0.5, 0.999, 1].map((score) => verdict({ score })),
      verdict({ check: 'toxicity', stage: 'output', score: 0.25 }),
    ])
    expect(await read('bins')).to.deep.equal({
      'input injection': { 0: 2, 50: 1, [scoreBins - 1]: 2 },
      'output toxicity': { 25: 1 },
    })
  })

  it('are not counted of enforced checks, and where there is none', async () => {
    const { score: _, ...failed } = verdict({ verdict: 'unavailable' })
    await count('none', [verdict({ mode: 'enforce' }), failed, verdict({ score: NaN })])
    expect(await read('none')).to.deep.equal({})
  })

  it('are added up over processes and days, as many days as are asked for', async () => {
    await count('days', [verdict()], noon - 2 * day)
    await count('days', [verdict(), verdict()], noon - day)
    await count('days', [verdict()])
    await count('days', [verdict()])
    expect(await read('days', 1)).to.deep.equal({ 'input injection': { 50: 2 } })
    expect(await read('days', 2)).to.deep.equal({ 'input injection': { 50: 4 } })
    expect(await read('days', 3)).to.deep.equal({ 'input injection': { 50: 5 } })
  })

  it('go to the day on which they were given', async () => {
    let now = noon - day
    const scores = new ShadowScores(home('midnight'), silentLogger, () => now)
    scores.add(verdict())
    now = noon
    scores.add(verdict({ score: 0.75 }))
    await scores.close()
    expect(await read('midnight', 1)).to.deep.equal({ 'input injection': { 75: 1 } })
    expect(await read('midnight', 2)).to.deep.equal({ 'input injection': { 50: 1, 75: 1 } })
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
    scores.add(verdict())
    await scores.close()
    expect(warnings).to.deep.equal(['the scores of checks in shadow mode could not be kept'])
  })

  it('are refused where a file holds something else', async () => {
    await count('other', [verdict()])
    const [file = ''] = readdirSync(join(home('other'), 'shadow-scores'))
    writeFileSync(join(home('other'), 'shadow-scores', file), '{"input injection": [1, 2]}')
    const problem = await read('other').catch((error: unknown) => (error as Error).message)
    expect(problem).to.contain('holds no counts of scores: remove it')
  })
})
