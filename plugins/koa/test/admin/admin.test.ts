import { statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { chat, definePlugin, injectable, provide, silentLogger } from '@sallyport/core'
import type { Kernel, ModelBackend } from '@sallyport/core'
import { createKernel } from '@sallyport/kernel'
import { errorOf } from '@sallyport/stand-ins/errors'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { expect } from 'chai'
import { ask, runningServers } from '../../src/admin/client.js'
import { psCommand } from '../../src/admin/commands.js'
import { adminDirectory, AdminListener } from '../../src/admin/listener.js'

let release: () => void = () => undefined
@injectable()
class Slow implements ModelBackend {
  load = () => {
    const stream = async function* () {
      await new Promise<void>((resolve) => (release = resolve))
      yield { finish: 'stop' as const }
    }
    return Promise.resolve({ provides: [provide(chat, { stream })] })
  }
}
const plugin = definePlugin({
  name: 'p',
  backends: { slow: { description: 'd', capabilities: [chat], class: Slow, files: 'none' } },
})

describe('the socket of a running server', () => {
  const directory = useTemporaryDirectory()
  let kernel: Kernel
  let listener: AdminListener
  const printed: string[] = []
  const context = {
    home: directory.path,
    options: {},
    logger: silentLogger,
    print: (line: string) => void printed.push(line),
  }
  const command = (name: 'load' | 'unload', model: string) =>
    psCommand.commands!.find((one) => one.name === name)!.run!({ arguments: [model], options: {} }, context)
  beforeEach(async () => {
    printed.splice(0)
    const models = { a: { backend: 'slow', keep: 1 }, b: { backend: 'slow', load: 'start' as const } }
    kernel = await createKernel({ plugins: [plugin], load: 'demand', models, log: { level: 'silent' } })
    listener = new AdminListener(kernel, silentLogger, directory.path)
    await listener.start()
  })
  afterEach(async () => {
    await listener.stop()
    await kernel.stop()
  })

  it('may be opened by its owner alone', () => {
    const { mode } = statSync(join(adminDirectory(directory.path), `${process.pid}.sock`))
    expect(mode & 0o777).to.equal(0o600)
  })

  it('shows the models, and loads and unloads them', async () => {
    await psCommand.run!({ arguments: [], options: {} }, context)
    expect(printed[0]).to.equal(`server ${process.pid}`)
    expect(printed[2]).to.match(/^ {2}a +unloaded +0 +1 minute +never$/)
    expect(printed[3]).to.match(/^ {2}b +ready +0 +always +0 minutes ago$/)
    await command('load', 'a')
    await command('unload', 'b')
    expect(printed.slice(-2)).to.deep.equal(['loaded a', 'unloaded b'])
    expect([kernel.modelState('a'), kernel.modelState('b')]).to.deep.equal(['ready', 'unloaded'])
  })

  it('unloads none in the middle of a request', async () => {
    const answer = kernel.get(chat, 'b').generate({ messages: [{ role: 'user', content: 'hi' }] })
    while (kernel.modelUses()[1]?.users !== 1) await new Promise(setImmediate)
    expect((await errorOf(Promise.resolve(command('unload', 'b')))).message).to.include('it is in use or loading')
    release()
    await answer
    await command('unload', 'b')
    expect(kernel.modelState('b')).to.equal('unloaded')
  })

  for (const [method, path, problem] of [
    ['POST', '/models/c/load', /model not found: c/],
    ['DELETE', '/models', /there is no DELETE \/models here/],
    ['GET', '/models/a/load', /there is no GET/],
  ] as const)
    it(`refuses ${method} ${path}`, async () => {
      const [server] = await runningServers(directory.path)
      expect((await errorOf(ask(server!, method, path))).message).to.match(problem)
    })

  it('is told from one that a killed server left, which is removed', async () => {
    const dead = join(adminDirectory(directory.path), '999999.sock')
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(dead, resolve))
    other.closeAllConnections()
    // A server that is killed does not unlink its socket, as one that is closed does.
    await new Promise((resolve) => other.close(resolve))
    writeFileSync(dead, '')
    expect((await runningServers(directory.path)).map(({ pid }) => pid)).to.deep.equal([process.pid])
    expect(() => statSync(dead)).to.throw('ENOENT')
  })

  it('is missed where no server runs', async () => {
    await listener.stop()
    const problem = await errorOf(Promise.resolve(psCommand.run!({ arguments: [], options: {} }, context)))
    expect(problem.message).to.equal(`no server runs with the state directory ${directory.path}`)
  })
})
