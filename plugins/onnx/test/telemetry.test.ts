import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'

const runtime = new URL('../src/session/ort-session.js', import.meta.url).href

/** Creates an environment of the runtime, which is when it begins to report. */
const script = `
const { loadRuntime } = await import(${JSON.stringify(runtime)})
const { InferenceSession } = await loadRuntime()
await InferenceSession.create(Buffer.from('no model')).catch(() => undefined)
`

describe('the runtime', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'telemetry-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('reports nothing: it leaves neither an identifier nor files of a report', async () => {
    // it reports nothing either where it takes itself to be tested
    const env = { ...process.env, CI: undefined, TMPDIR: folder, HOME: folder, XDG_CACHE_HOME: folder }
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env })
    expect(readdirSync(folder)).to.deep.equal([])
  })
})
