/** Fails where a tracked file of text in the working directory has the marks of a merge that was not finished. */

import { spawnSync } from 'node:child_process'

const marks = '^(<{7}|>{7}|[|]{7})([[:space:]]|$)|^={7}[[:space:]]*$'

const { status, stdout, stderr, error } = spawnSync('git', ['grep', '-nIE', marks], { encoding: 'utf8' })
if (error || status > 1) throw error ?? new Error(stderr)
if (status === 0) {
  process.stderr.write(`marks of a merge that was not finished:\n${stdout}`)
  process.exitCode = 1
}
