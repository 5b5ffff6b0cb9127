/** `sallyport guard scores`: what checks in shadow mode gave to real traffic. */

import { expect } from 'chai'
import { isSallyportError } from '@sallyport/core'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { scoresCommand } from '../src/guard/scores.js'
import { createLogger } from '../src/logging.js'

const today = new Date().toISOString().slice(0, 10)

describe('guard scores', () => {
  const directory = useTemporaryDirectory()
  const bins = (counts: Readonly<Record<number, number>>) => Array.from({ length: 100 }, (_, bin) => counts[bin] ?? 0)
  directory.write(
    `shadow-scores/${today}.00000000-0000-0000-0000-000000000000.json`,
    JSON.stringify({
      'default input injection': bins({ 0: 950, 12: 41, 83: 8, 99: 1 }),
      'strict output toxicity': bins({ 99: 3 }),
    }),
  )
  const logger = createLogger({ level: 'warn', format: 'auto', exceptions: 'frames' })
  const scores = async (options: Readonly<Record<string, string>> = {}, home = directory.path): Promise<string> => {
    const lines: string[] = []
    const context = { options: {}, home, logger, print: (line: string) => void lines.push(line) }
    await scoresCommand.run?.({ arguments: [], options: { days: '7', rate: '1', ...options } }, context)
    return lines.join('\n')
  }

  it('shows how many requests had which score, and the lowest threshold for the rate', async () => {
    expect(await scores({ check: 'injection' })).to.equal(`default input injection: 1000 requests, in 7 days

score from  requests  at or above  per 100
       0.0       950         1000   100.00
       0.1        41           50     5.00
       0.2         0            9     0.90
       0.3         0            9     0.90
       0.4         0            9     0.90
       0.5         0            9     0.90
       0.6         0            9     0.90
       0.7         0            9     0.90
       0.8         8            9     0.90
       0.9         1            1     0.10

A threshold of 0.13 lets 9 of 1000 count, at most 1 of a hundred.
`)
  })

  it('shows every check where none is named', async () => {
    const output = await scores({ rate: '0.1' })
    expect(output).to.contain('A threshold of 0.84 lets 1 of 1000 count')
    expect(output).to.contain('strict output toxicity: 3 requests')
    expect(output).to.contain('only 0.1 of a hundred count: that can be observed in 1000 requests or more.')
  })

  for (const [name, options, problem] of [
    ['a rate that is none', { rate: 'x' }, '--rate: must be a number from 0 to 50'],
    ['an empty rate', { rate: '' }, '--rate: must be a number from 0 to 50'],
    ['more days than are kept', { days: '90' }, '--days: must be a number from 1 to 31'],
    ['an unknown check', { check: 'pii' }, 'no check "pii" ran in shadow mode; there are: injection, toxicity'],
  ] as const)
    it(`refuses ${name}`, async () => {
      const error: unknown = await scores(options).catch((thrown: unknown) => thrown)
      expect(isSallyportError(error) && error.message).to.equal(problem)
    })

  it('says how to begin where nothing was counted', async () => {
    const error: unknown = await scores({}, `${directory.path}/empty`).catch((thrown: unknown) => thrown)
    expect(isSallyportError(error) && error.message).to.contain('give its entry in a policy "mode: shadow"')
  })
})
