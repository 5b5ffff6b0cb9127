// Runs every test of the repository and closes with the line `N passed, N failed, N skipped`.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const patterns = process.argv.slice(2)
const files = patterns.length
  ? patterns
  : ['core/dist/test/**/*.test.js', 'plugins/*/dist/test/**/*.test.js', 'test/dist/**/*.test.js']

const { status } = spawnSync(
  process.execPath,
  ['node_modules/mocha/bin/mocha.js', '--reporter', 'test/reporter.cjs', '--timeout', '30000', '--exit', ...files],
  { cwd: root, stdio: 'inherit' },
)
process.exit(status ?? 1)
