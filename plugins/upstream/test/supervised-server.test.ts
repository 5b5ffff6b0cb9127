import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { isAlive } from '@sallyport/stand-ins/processes'
import { until } from '@sallyport/stand-ins/promises'
import { errorOf } from '@sallyport/stand-ins/errors'
import { backendFor, loadModel, logBook, stopModels } from './support/models.js'
import type { LogBook, Model } from './support/models.js'
import { StandIn } from './support/stand-in.js'

const program = fileURLToPath(new URL('support/server-program.js', import.meta.url))
const owner = fileURLToPath(new URL('support/owner-program.js', import.meta.url))

const start = (env: Record<string, string> = {}, server: object = {}) =>
  loadModel({
    capabilities: ['chat'],
    server: {
      command: process.execPath,
      args: [program, '{port}'],
      env,
      restart: { delay: 0.3, longest: 1 },
      ...server,
    },
  })

interface About {
  pid: number
  cwd: string
  child: number
  args: string[]
  variables: string[]
}

const aboutOf = async (model: Model) => JSON.parse((await model.answer()).text) as About

const says = (content: string) => ({ messages: [{ role: 'user' as const, content }] })

/** What the server says of itself in its output, which goes to the debug log. */
const printedBy = ({ lines }: LogBook): About | undefined => {
  const line = lines.find(({ level, message }) => level === 'debug' && message === 'output of the server')
  return line && (JSON.parse(String(line.fields.line)) as About)
}

describe('a server of our own', function () {
  this.timeout(10_000)
  afterEach(stopModels)

  it('is started on a free port, answers, and has its output in the debug log', async () => {
    const model = await start()
    const { args } = await aboutOf(model)
    expect(Number(args[0])).to.be.greaterThan(1023)
    expect(printedBy(model.log)?.args).to.deep.equal(args)
  })

  it('listens where the configuration says', async () => {
    const probe = await StandIn.listen()
    const { port } = probe
    await probe.close()
    const model = await loadModel({
      url: 'http://localhost:{port}/v1',
      server: { command: process.execPath, args: [program, '{port}'], port },
    })
    expect((await aboutOf(model)).args).to.deep.equal([String(port)])
  })

  it('inherits no secrets, and has what the configuration adds', async () => {
    process.env.SALLYPORT_TEST_API_KEY = 'sk-1'
    try {
      const { variables } = await aboutOf(await start({ LLAMA_ARG_THREADS: '2' }))
      expect(variables).to.include.members(['PATH', 'LLAMA_ARG_THREADS'])
      expect(variables).not.to.include('SALLYPORT_TEST_API_KEY')
    } finally {
      delete process.env.SALLYPORT_TEST_API_KEY
    }
  })

  it('is restarted after a crash; calls meanwhile fail with model_unavailable and Retry-After', async () => {
    const model = await start()
    const before = await aboutOf(model)
    for (const [round, words] of ['please crash', 'please crash', 'begin and crash'].entries()) {
      const { pid } = await aboutOf(model)
      await model.failure(undefined, says(words))
      await until(() => !isAlive(pid))
      const failure = await model.failure('model_unavailable')
      expect(failure.message, `round ${round}`).to.match(/being restarted/)
      expect(failure.retryAfter).to.be.greaterThan(0)
      await until(async () => (await model.answer().catch(() => undefined)) !== undefined)
    }
    const after = await aboutOf(model)
    expect(after.pid).not.to.equal(before.pid)
    expect(after.args, 'the same port, for it is still free').to.deep.equal(before.args)
  })

  it('tells the kernel when it is down, when it is back, and when it keeps ending', async () => {
    const model = await start()
    expect(model.states).to.deep.equal(['ready'])
    for (let crash = 1; crash <= 5; crash += 1) {
      await until(() => model.states.at(-1) === 'ready', 5000)
      await model.failure(undefined, says('please crash'))
      await until(() => model.states.at(-1) !== 'ready')
    }
    expect(model.states.slice(0, 3)).to.deep.equal(['ready', 'restarting', 'ready'])
    expect(model.states.at(-1)).to.equal('failed')
  })

  it('that can no longer be started as it is configured has failed, and is tried again', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'upstream-'))
    const command = join(directory, 'serve')
    symlinkSync(process.execPath, command)
    try {
      const model = await start({}, { command })
      rmSync(command)
      await model.failure(undefined, says('please crash'))
      await until(() => model.states.at(-1) === 'failed')
      expect(model.states).to.deep.equal(['ready', 'restarting', 'failed'])
      expect(model.log.text()).to.contain(`there is no program \\"${command}\\" at this path`)
      const error = await model.failure('model_unavailable')
      expect(error.message).to.contain('as configured').and.not.contain(command)
      expect(error.retryAfter).to.be.greaterThan(0)
      symlinkSync(process.execPath, command)
      await until(() => model.states.at(-1) === 'ready')
    } finally {
      rmSync(directory, { recursive: true })
    }
  })

  it('has paths that are relative to the configuration', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'upstream-'))
    mkdirSync(join(directory, 'work'))
    symlinkSync(process.execPath, join(directory, 'serve'))
    const server = { command: '../serve', cwd: 'work', args: [program, '{port}'] }
    try {
      const { cwd } = await aboutOf(await loadModel({ capabilities: ['chat'], server }, directory))
      expect(cwd).to.equal(realpathSync(join(directory, 'work')))
      const { cwd: without } = await aboutOf(
        await loadModel({ capabilities: ['chat'], server: { command: './serve', args: server.args } }, directory),
      )
      expect(without).to.equal(realpathSync(directory))
    } finally {
      rmSync(directory, { recursive: true })
    }
  })

  it('is waited for longer after each crash', async () => {
    const model = await start()
    for (let round = 0; round < 2; round += 1) {
      await until(async () => (await model.answer().catch(() => undefined)) !== undefined)
      await model.failure(undefined, says('please crash'))
    }
    await until(() => waits(model).length === 2)
    const [first = 0, second = 0] = waits(model)
    expect(first).to.be.within(50, 150)
    expect(second).to.be.within(200, 400)
  })

  it('is killed with its children at the end', async () => {
    const model = await start({ WITH_CHILD: '1' })
    const { pid, child } = await aboutOf(model)
    expect([isAlive(pid), isAlive(child)]).to.deep.equal([true, true])
    await model.stop()
    expect([isAlive(pid), isAlive(child)]).to.deep.equal([false, false])
    await model.failure('model_unavailable')
  })

  it('is killed even when it does not want to end', async () => {
    const model = await start({ WITH_CHILD: '1', IGNORE_TERM: '1' }, { stopTimeout: 0.1 })
    const { pid, child } = await aboutOf(model)
    await model.stop()
    expect([isAlive(pid), isAlive(child)]).to.deep.equal([false, false])
  })

  it('dies with its children when we are killed', async () => {
    const process_ = spawn(process.execPath, [owner, program], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = (await once(process_.stdout.setEncoding('utf8'), 'data')) as [string]
    const { pid, child } = JSON.parse(line) as About
    expect([isAlive(pid), isAlive(child)]).to.deep.equal([true, true])
    process_.kill('SIGKILL')
    await until(() => !isAlive(pid) && !isAlive(child))
  })

  it('is not started again after the stop', async () => {
    const model = await start()
    const { pid } = await aboutOf(model)
    await model.failure(undefined, says('please crash'))
    await until(() => !isAlive(pid))
    await model.stop()
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(model.log.text().split('is ready')).to.have.length(2)
  })
})

describe('a server of our own cannot be started', function () {
  this.timeout(10_000)
  afterEach(stopModels)

  const refused = (server: object, env = {}) => errorOf(start(env, server))

  for (const command of ['no-such-llama-server', '/no/such/program', program])
    it(`when there is no program ${command.split('/').at(-1)}`, async () => {
      const { code, message } = await refused({ command })
      expect(code).to.equal('config_invalid')
      expect(message).to.contain(`models.big-model.options.server.command: there is no program "${command}"`)
    })

  it('when it ends at once', async () => {
    const { code, message } = await refused({}, { EXIT_AT_ONCE: '1' })
    expect(code).to.equal('model_unavailable')
    expect(message).to.match(/ended with the code 3 before it was ready/)
  })

  it('when it does not get ready in time', async () => {
    const { code, message } = await refused({ ready: { timeout: 0.4 } }, { NEVER_READY: '1' })
    expect(code).to.equal('model_unavailable')
    expect(message).to.match(/not ready within 0\.4 seconds/)
  })

  it('when it is stopped meanwhile, and leaves no process', async () => {
    const log = logBook()
    const server = { command: process.execPath, args: [program, '{port}'], env: { NEVER_READY: '1', WITH_CHILD: '1' } }
    const backend = backendFor({ server }, log)
    const loading = errorOf(backend.load(), 'model_unavailable')
    await until(() => printedBy(log) !== undefined)
    const { pid, child } = printedBy(log)!
    expect([isAlive(pid), isAlive(child)]).to.deep.equal([true, true])
    await backend.stop()
    expect((await loading).message).to.match(/was stopped/)
    expect([isAlive(pid), isAlive(child)]).to.deep.equal([false, false])
  })

  it('when somebody else listens on its port', async () => {
    const other = await StandIn.listen()
    const { code, message } = await refused({ port: other.port })
    expect(code).to.equal('config_invalid')
    expect(message).to.match(/options\.server\.port: \d+ is in use/)
    await other.close()
  })
})

const waits = ({ log }: Model) =>
  log.lines.filter(({ message }) => message.endsWith('will be restarted')).map(({ fields }) => Number(fields.retryInMs))
