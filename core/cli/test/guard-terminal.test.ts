/** What texts of others may not do to the terminal of `sallyport guard`. */

import { expect } from 'chai'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { root, runSallyport } from '@sallyport/stand-ins/command-line'

describe('guard in a terminal', function () {
  this.timeout(20_000)
  const directory = useTemporaryDirectory()
  const detectors = directory.write('config.yaml', `plugins: ['${root}core/testing/dist/src/reference/index.js']\n`)
  const guard = (...args: string[]) =>
    runSallyport(['guard', ...args], directory.path, { SALLYPORT_HOME: `${directory.path}/home` })

  /** ESC, which begins sequences, and CSI, which JSON leaves as it is. */
  const controls = '\u001b[2J\u009b2J'

  it('leaves control characters of rows out of the terminal', async () => {
    const row = { label: 0, genre: `${controls}\nmail`, text: 'x' }
    const rows = directory.write('controls.jsonl', `${JSON.stringify(row)}\n{"text":"y","label":1}`)
    const { output } = await guard('eval', rows, '--check', 'injection', '--config', detectors)
    expect(output).to.match(/^\uFFFD\[2J\uFFFD2J\uFFFDmail {2}/m)
    expect(output).to.match(/^[\P{Cc}\n]*$/u)
  })

  it('leaves control characters of a text out of the terminal', async () => {
    const { output } = await guard('try', `Mail ${controls}\njane@example.org`, '--config', detectors)
    expect(output).to.contain('Mail \uFFFD[2J\uFFFD2J\n  jane@example.org')
    expect(output).to.match(/^[\P{Cc}\n]*$/u)
  })
})
