import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { repository } from './support/repository.js'
import { run } from './support/run.js'

const marks = join(repository, 'test/merge-marks.mjs')

/** Each tool with what it holds; its own output is the message when it complains. */
const tools: { holds: string; args: string[] }[] = [
  { holds: 'no marks of a merge that was not finished', args: [marks] },
  {
    holds: 'the rules of the linter, unneeded directives included',
    args: ['node_modules/oxlint/bin/oxlint', '--report-unused-disable-directives'],
  },
  {
    holds: 'the format',
    // Files that have not changed since are not looked at again.
    args: ['node_modules/prettier/bin/prettier.cjs', '--check', '.', '--cache', '--cache-strategy', 'content'],
  },
  {
    holds: 'the directions of imports, without cycles',
    args: [
      'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
      '--config',
      '.dependency-cruiser.cjs',
      ...['core/*/src', 'core/*/test', 'plugins/*/src', 'plugins/*/test'],
    ],
  },
]

describe('the source', function () {
  this.timeout(900_000)
  for (const { holds, args } of tools)
    it(`holds ${holds}`, async () => {
      const { code, stdout, stderr } = await run(process.execPath, args, { cwd: repository })
      expect(code, `${stdout}\n${stderr}`).to.equal(0)
    })

  for (const mark of ['<<<<<<<' + ' HEAD', '=======', '>>>>>>>' + ' c8dd56d', '|||||||' + ' base'])
    it(`is refused where it has a mark of a merge: ${mark}`, async () => {
      const directory = await mkdtemp(join(tmpdir(), 'sallyport-marks-'))
      try {
        const check = () => run(process.execPath, [marks], { cwd: directory })
        await run('git', ['init', '--quiet'], { cwd: directory })
        await writeFile(join(directory, 'page.md'), `A title\n========\n\ntext ${mark}\n`)
        await run('git', ['add', '.'], { cwd: directory })
        expect((await check()).code).to.equal(0)
        await writeFile(join(directory, 'page.md'), `text\n${mark}\n`)
        const { code, stderr } = await check()
        expect(code).to.equal(1)
        expect(stderr).to.include('page.md:2')
      } finally {
        await rm(directory, { recursive: true, force: true })
      }
    })
})
