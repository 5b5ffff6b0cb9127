import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recordingLogger } from '@sallyport/testing'
import { silentLogger } from '@sallyport/core'
import { expect } from 'chai'
import { exposedKeysWarning } from '../src/auth/exposed-files.js'
import { HttpServer, KeyStore } from '../src/index.js'
import { completeOptions } from '../src/options.js'
import { testKernel } from './support/kernel.js'

describe('files of keys that others can read or write', function () {
  if (process.platform === 'win32') return
  let home: string
  let keys: string
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'sallyport exposed-'))
    keys = join(home, 'keys')
    new KeyStore(home).create({ name: 'a' })
  })
  afterEach(() => rmSync(home, { recursive: true, force: true }))
  const record = () => readdirSync(keys).find((name) => name.endsWith('.json'))!

  it('are none where they are as they were made, nor where there are no keys', () => {
    expect(exposedKeysWarning(home)).to.equal(undefined)
    expect(exposedKeysWarning(join(home, 'none'))).to.equal(undefined)
  })

  for (const mode of [0o640, 0o604, 0o620, 0o602])
    it(`are named with what to do: ${mode.toString(8)}`, () => {
      const command = `chmod -R go= '${keys}'`
      chmodSync(join(keys, 'pepper'), mode)
      expect(exposedKeysWarning(home)).to.equal(`others can read or write the keys of the server (pepper): ${command}`)
      chmodSync(join(keys, 'pepper'), 0o600)
      chmodSync(join(keys, record()), mode)
      expect(exposedKeysWarning(home)).to.contain(record()).and.to.contain(command)
    })

  it('are warned of at a start, and by check', async () => {
    chmodSync(keys, 0o755)
    const { lines, logger } = recordingLogger()
    const options = completeOptions({ port: 0 })
    const http = new HttpServer(options, await testKernel([]), logger, home, () => undefined, home)
    await http.start()
    await http.stop()
    const warnings = lines.filter(({ level }) => level === 'warn').map(({ message }) => message)
    expect(warnings).to.deep.equal([exposedKeysWarning(home)])
    const context = { home, baseDirectory: home, logger: silentLogger }
    expect((await HttpServer.examine(options, context))?.entries[0]?.warning).to.equal(warnings[0])
    expect(await HttpServer.examine({ ...options, auth: false }, context)).to.equal(undefined)
  })
})
