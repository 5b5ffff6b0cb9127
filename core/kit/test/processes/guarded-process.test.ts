import { execFileSync } from 'node:child_process'
import { expect } from 'chai'

describe('a guarded process', () => {
  it('counts as one that could not be started where no descriptor is free', () => {
    const module = new URL('../../src/processes/guarded-process.js', import.meta.url).href
    const script = `
      import { GuardedProcess } from ${JSON.stringify(module)}
      import { openSync } from 'node:fs'
      try { for (;;) openSync('/dev/null') } catch {}
      const started = new GuardedProcess({ program: '/bin/true', args: [], cwd: '/', env: {} })
      started.input.write('x')
      console.log(await started.ended, started.isRunning)`
    const limited = ['-c', 'ulimit -n 64; exec "$0" --input-type=module -e "$1"', process.execPath, script]
    expect(execFileSync('/bin/sh', limited, { encoding: 'utf8' }).trim()).to.equal(
      'could not be started (EMFILE) false',
    )
  })
})
