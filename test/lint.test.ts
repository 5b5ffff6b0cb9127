import { expect } from 'chai'
import { repository } from './support/repository.js'
import { run } from './support/run.js'

/** Each tool with what it holds; its own output is the message when it complains. */
const tools: { holds: string; args: string[] }[] = [
  { holds: 'the rules of ESLint', args: ['node_modules/eslint/bin/eslint.js', '.', '--max-warnings', '0'] },
  { holds: 'the format', args: ['node_modules/prettier/bin/prettier.cjs', '--check', '.'] },
  {
    holds: 'the directions of imports, without cycles',
    args: [
      'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
      '--config',
      '.dependency-cruiser.cjs',
      'core/src',
      'plugins',
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
})
