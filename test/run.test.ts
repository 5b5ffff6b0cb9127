import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { repository } from './support/repository.js'
import { run } from './support/run.js'

const passing = `it('passes', () => {})`

describe('the run of all tests', function () {
  this.timeout(120_000)
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sallyport-run-'))
  })
  afterEach(() => rm(directory, { recursive: true, force: true }))

  /** Runs files with such tests, of one folder in one process. */
  const outcomeOf = async (files: Readonly<Record<string, string>>) => {
    const paths = Object.keys(files).map((name) => join(directory, name))
    for (const path of paths) await mkdir(dirname(path), { recursive: true })
    await Promise.all(Object.values(files).map((text, index) => writeFile(paths[index]!, text)))
    const { code, stdout } = await run(process.execPath, ['test/run.mjs', ...paths], { cwd: repository })
    const lines = stdout.trimEnd().split('\n')
    return { code, stdout, lines, last: lines.at(-1) }
  }

  it('succeeds with the sums of all processes, and names what was skipped', async () => {
    const { code, lines, last } = await outcomeOf({
      'a/1.mjs': `${passing}; ${passing}`,
      'b/2.mjs': `${passing}; describe('a suite', () => it.skip('waits: for a reason'))`,
    })
    expect(last).to.equal('3 passed, 0 failed, 1 skipped')
    expect(lines).to.include('skipped: a suite waits: for a reason')
    expect(code).to.equal(0)
  })

  it('fails with a test that fails, and prints why', async () => {
    const { code, stdout, last } = await outcomeOf({
      'a/1.mjs': `it('fails', () => { throw new Error('the reason why') })`,
      'b/2.mjs': passing,
    })
    expect(last).to.equal('1 passed, 1 failed, 0 skipped')
    expect(stdout).to.contain('the reason why').and.to.contain('failed: fails')
    expect(code).to.equal(1)
  })

  it('tells which tests took longest, before the last line', async () => {
    const slow = `it('is slow', () => new Promise((resolve) => setTimeout(resolve, 1_200))); ${passing}`
    const { lines, last } = await outcomeOf({ 'a/1.mjs': slow })
    expect(lines.filter((line) => line.startsWith('slow: ')).join()).to.match(/^slow: \d+\.\d s is slow$/)
    expect(last).to.equal('2 passed, 0 failed, 0 skipped')
  })

  for (const [what, text, passed] of [
    ['is killed', `${passing}; it('dies', () => process.kill(process.pid, 'SIGKILL'))`, 2],
    ['ends with success before its tests have', `${passing}; it('leaves', () => process.exit(0))`, 2],
    ['cannot load its tests', `import './nowhere.mjs'`, 1],
    ['fails in a hook', `before(() => { throw new Error('no') }); ${passing}`, 1],
  ] as const)
    it(`counts a failure, and what passed, where a process ${what}`, async () => {
      const { code, last } = await outcomeOf({ 'a/1.mjs': text, 'b/2.mjs': passing })
      expect(last).to.equal(`${passed} passed, 1 failed, 0 skipped`)
      expect(code).to.equal(1)
    })
})
