import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { useTemporaryDirectory } from '../config/temporary.js'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

describe('the command line', function () {
  this.timeout(20_000)
  const directory = useTemporaryDirectory()

  const node = async (...args: string[]) => {
    const env = { ...process.env, PORT: '', SALLYPORT_HOST: '' }
    const child = spawn(process.execPath, args, { cwd: directory.path, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const output = Promise.all([text(child.stdout), text(child.stderr)])
    await once(child, 'exit')
    return { code: child.exitCode, output: (await output).join('') }
  }
  const sallyport = (...args: string[]) => node(`${root}core/bin/sallyport.mjs`, ...args)

  it('takes values with --set, each with one of its own, wherever it stands', async () => {
    const file = directory.write('config.yaml', 'limits: {drain: soon}\n')
    expect((await sallyport('check', file)).code).to.equal(1)
    const args = ['--set', 'limits.drain=1', '--set', 'log.level=warn']
    expect(await sallyport('check', ...args, file)).to.deep.include({ code: 0 })
    const { code, output } = await sallyport('check', file, ...args, '--set', 'limits.memory=2')
    expect(code).to.equal(1)
    expect(output).to.contain('--set limits.memory: limits.memory: must be')
  })

  it('says which flag of serve is wrong', async () => {
    const file = directory.write('empty.yaml', 'plugins: []\n')
    const { code, output } = await sallyport('serve', '--config', file, '--host', 'x')
    expect(code).to.equal(1)
    expect(output).to.contain('--host: server: no loaded plugin reads "server"')
  })

  it('refuses a Node older than the manifest allows, before it installs anything', async () => {
    const pretend = (version: string) =>
      `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`
    for (const version of ['18.20.0', '20.10.0']) {
      const { code, output } = await node('--import', pretend(version), `${root}core/bin/bootstrap.mjs`)
      expect(code).to.equal(1)
      expect(output).to.contain(`Node ${version} is too old: install Node 20.11 or newer`)
    }
  })
})
