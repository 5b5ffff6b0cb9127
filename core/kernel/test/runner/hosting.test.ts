import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { recordingLogger, testCall, collectChunks } from '@sallyport/testing'
import { silentLogger } from '@sallyport/core'
import { until } from '@sallyport/stand-ins/promises'
import { rejection } from '@sallyport/stand-ins/errors'
import { isAlive } from '@sallyport/stand-ins/processes'
import { hostInProcess } from '../../src/runner/host.js'
import { range } from './fixtures/calls.js'
import { cleanUp, gone, host, hosting } from './fixtures/hosting.js'
import plugin, { probe } from './fixtures/probe.js'
import type { Probe, ProbeOptions } from './fixtures/probe.js'

/** Starting a process takes a second on a busy machine. */
const patience = 20_000

afterEach(cleanUp)

describe('a backend in its own process', function () {
  this.timeout(patience)

  it('is constructed, loaded and served', async () => {
    const { hosted, service, states, act } = await host()
    expect(hosted.state).to.equal('ready')
    expect(states).to.deep.equal(['loading', 'ready'])
    expect(hosted.loaded.descriptor).to.deep.equal({ contextLength: 77 })
    expect(hosted.loaded.provides.map(({ capability }) => capability)).to.deep.equal([probe])
    expect(service, 'an optional method that the service lacks is absent').to.have.all.keys('act', 'count')
    const sight = await act('look')
    expect(sight.pid).to.not.equal(process.pid)
    expect(sight.title).to.equal('sallyport: model-x')
    expect(sight.pluginOptions).to.deep.equal({ of: 'the plugin' })
    expect(sight.spec).to.deep.equal({ id: 'model-x', options: {}, files: { model: '/weights' } })
    expect(sight).to.include({ baseDirectory: '/configurations', home: '/state' })
    expect(sight).to.include({ coredump: '00000000\n', oomScore: '500\n', frozen: true })
    const chunks = await collectChunks(service.count({ chunks: 500, every: 0 }, testCall()))
    expect(chunks).to.deep.equal(range(500).map((index) => ({ index })))
  })

  it('sees no secrets, and none of this process’s flags', async () => {
    const secrets = {
      OPENAI_API_KEY: 's1',
      HF_TOKEN: 's2',
      SALLYPORT_API_KEY: 's3',
      CUDA_AUTH_TOKEN: 's4',
      NODE_OPTIONS: '',
    }
    const settings = { CUDA_VISIBLE_DEVICES: '0', GGML_SCHED_DEBUG: '0' }
    const execArgv = [...process.execArgv]
    Object.assign(process.env, secrets, settings)
    process.execArgv.push('--trace-uncaught')
    try {
      const { act } = await host({ isolation: { env: { UV_THREADPOOL_SIZE: '3', PLUGIN_KEY: 'its own' } } })
      const { environment, execArgv: childArgv } = await act('look')
      expect(environment).to.include({ ...settings, UV_THREADPOOL_SIZE: '3', PLUGIN_KEY: 'its own' })
      expect(environment.PATH).to.equal(process.env.PATH)
      expect(environment).to.not.have.any.keys(...Object.keys(secrets))
      expect(childArgv).to.deep.equal([])
    } finally {
      process.execArgv = execArgv
      for (const name of Object.keys({ ...secrets, ...settings })) Reflect.deleteProperty(process.env, name)
    }
  })

  it('logs through this process', async () => {
    const { act, lines } = await host()
    await act('log')
    expect(lines).to.deep.include({
      level: 'warn',
      fields: { model: 'model-x', layer: 3, tensors: 12 },
      message: 'offloaded',
    })
    const error = await rejection(act('break'))
    expect(error).to.include({ code: 'internal' })
    expect(JSON.stringify(lines)).to.contain('CUDA error at 0xdeadbeef').and.contain('probe.act')
  })

  it('has what it prints logged line by line, within bounds', async () => {
    const { act, lines } = await host()
    const printed = () => lines.filter(({ level }) => level === 'debug').map(({ message }) => message)
    await act('print')
    await until(() => printed().includes('to stderr') && printed().includes('red line'))
    await act('flood')
    await until(() => printed().length > 150)
    expect(printed().length).to.be.below(450)
    expect(Math.max(...printed().map(({ length }) => length))).to.be.at.most(2000)
  })

  it('stops in order: running calls end, then the backend, then the process', async () => {
    const { hosted, service, lines, act, states } = await host()
    const { pid } = await act('look')
    const counting = collectChunks(service.count({ chunks: 20, every: 5 }, testCall()))
    await act('look')
    const stopped = hosted.stop(new AbortController().signal)
    expect(await rejection(act('look'))).to.include({ code: 'model_unavailable' })
    expect(await counting).to.have.length(20)
    await stopped
    expect(isAlive(pid)).to.equal(false)
    expect(lines.map(({ message }) => message)).to.include('stopping')
    expect(lines.filter(({ level }) => level === 'error')).to.deep.equal([])
    expect(hosted.state).to.equal('stopped')
    expect(states).to.deep.equal(['loading', 'ready', 'stopped'])
    await hosted.stop(new AbortController().signal)
    expect(await rejection(act('look'))).to.include({ code: 'model_unavailable' })
  })

  it('stops in time when calls do not end', async () => {
    const { hosted, service, act } = await host()
    const { pid } = await act('look')
    const counting = rejection(collectChunks(service.count({ chunks: 1e9, every: 1 }, testCall())))
    await act('look')
    const started = performance.now()
    await hosted.stop(AbortSignal.timeout(50))
    expect(performance.now() - started).to.be.within(45, 1800)
    expect(await counting).to.include({ code: 'model_unavailable' })
    expect(isAlive(pid)).to.equal(false)
  })

  it('is killed when it does not stop', async () => {
    const { hosted, act, lines } = await host({ stop: 'hang', limits: { stopGrace: 150 } })
    const { pid } = await act('look')
    const started = performance.now()
    await hosted.stop(AbortSignal.abort())
    expect(performance.now() - started).to.be.within(290, 1800)
    expect(isAlive(pid)).to.equal(false)
    expect(lines.map(({ message }) => message)).to.include('stop() of the model failed')
  })

  it('survives signals to the group, for the parent drains first', async () => {
    const { act, hosted, states } = await host()
    const { pid } = await act('look')
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal)
    expect((await act('look')).pid).to.equal(pid)
    await hosted.stop(AbortSignal.abort())
    expect(states).to.deep.equal(['loading', 'ready', 'stopped'])
  })

  it('ends with its parent, however that ends and whatever it does', async () => {
    const parent = fileURLToPath(new URL('./fixtures/parent.js', import.meta.url))
    for (const occupation of ['look', 'hang']) {
      const child = spawn(process.execPath, [parent, occupation], { stdio: ['ignore', 'pipe', 'inherit'] })
      const [output] = (await once(child.stdout, 'data')) as [Buffer]
      const pid = Number(output.toString())
      expect(isAlive(pid)).to.equal(true)
      child.kill('SIGKILL')
      await gone(pid)
    }
  })

  it('leaves no handles and no listeners behind', async () => {
    const watched = ['exit', 'SIGINT', 'SIGTERM', 'beforeExit', 'uncaughtException', 'message', 'disconnect']
    const state = () => ({
      listeners: watched.map((event) => process.listenerCount(event)),
      processes: process.getActiveResourcesInfo().filter((name) => /Process|Pipe/.test(name)).length,
    })
    // processes of earlier tests may still be ending
    const settled = async (): Promise<ReturnType<typeof state>> => {
      const now = state()
      await sleep(1000)
      return state().processes === now.processes ? now : settled()
    }
    const before = await settled()
    for (let round = 0; round < 3; round += 1) {
      const { hosted, service } = await host()
      await collectChunks(service.count({ chunks: 10, every: 0 }, testCall()))
      await hosted.stop(AbortSignal.abort())
    }
    await until(() => state().processes <= before.processes)
    expect(state()).to.deep.equal(before)
  })
})

describe('a backend in this process', function () {
  this.timeout(patience)

  const inputs = { pluginOptions: {}, baseDirectory: '/configurations', home: '/state', logger: silentLogger }

  it('is constructed by the same code and served directly', async () => {
    const backend = plugin.backends!.probe!
    const states: string[] = []
    const spec = { id: 'near', options: {}, files: {} }
    const hosted = await hostInProcess({ ...inputs, backend, spec, onState: (state) => states.push(state) })
    const service = hosted.loaded.provides[0]!.service as Probe
    expect((await service.act({ action: 'look' }, testCall())).pid).to.equal(process.pid)
    expect(hosted.state).to.equal('ready')
    await hosted.stop(AbortSignal.abort())
    expect(states).to.deep.equal(['loading', 'ready', 'stopped'])
  })

  it('can report that it is down, and back', async () => {
    const states: string[] = []
    const spec = { id: 'near', options: {}, files: {} }
    const backend = plugin.backends!.probe!
    const hosted = await hostInProcess({ ...inputs, backend, spec, onState: (state) => states.push(state) })
    const service = hosted.loaded.provides[0]!.service as Probe
    for (const action of ['report restarting', 'report restarting', 'report ready', 'report restarting'] as const)
      await service.act({ action }, testCall())
    expect(hosted.state).to.equal('restarting')
    await hosted.stop(AbortSignal.abort())
    await service.act({ action: 'report ready' }, testCall())
    expect(hosted.state).to.equal('stopped')
    expect(states).to.deep.equal(['loading', 'ready', 'restarting', 'ready', 'restarting', 'stopped'])
  })

  it('fails to load as it would elsewhere', async () => {
    const backend = plugin.backends!.probe!
    for (const [load, code] of [
      ['model_invalid', 'model_invalid'],
      ['library', 'model_unavailable'],
    ]) {
      const { logger, lines } = recordingLogger()
      const spec = { id: 'model-x', options: { load }, files: {} }
      const here = await rejection(hostInProcess({ ...inputs, backend, spec, logger }))
      const there = hosting({ load: load as 'library' })
      const elsewhere = (await rejection(there.started)) as Error
      expect(here).to.include({ code, message: elsewhere.message })
      expect(elsewhere).to.include({ code })
      expect(lines.map(({ message }) => message)).to.deep.equal(['the model could not be loaded', 'stopping'])
      const logged = there.lines.filter(({ level }) => level !== 'debug').map(({ message }) => message)
      expect(logged).to.deep.equal(['the model could not be loaded'])
    }
  })

  const hostHere = (load: ProbeOptions['load'], signal?: AbortSignal) => {
    const { logger, lines } = recordingLogger()
    const hosted = hostInProcess({
      backend: plugin.backends!.probe!,
      spec: { id: 'model-x', options: { load }, files: {} },
      ...inputs,
      logger,
      ...(signal ? { signal } : {}),
    })
    return { hosted, messages: () => lines.map(({ message }) => message) }
  }

  it('is stopped when its load fails', async () => {
    const { hosted, messages } = hostHere('library')
    await rejection(hosted)
    expect(messages()).to.deep.equal(['the model could not be loaded', 'stopping'])
  })

  it('is given up with the signal, at once, and stopped again when it loads all the same', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const { hosted, messages } = hostHere('late', controller.signal)
    controller.abort(reason)
    expect(await rejection(hosted)).to.equal(reason)
    expect(messages()).to.deep.equal(['stopping'])
    await until(() => messages().length === 2)
    expect(messages()).to.deep.equal(['stopping', 'stopping'])
    expect(await rejection(hostHere('late', AbortSignal.abort(reason)).hosted)).to.equal(reason)
  })

  it('may provide only what it declares', async () => {
    const { hosted, messages } = hostHere('undeclared')
    expect(await rejection(hosted)).to.include({
      code: 'plugin_invalid',
      message: 'plugin of the model model-x: its backend provides tokens, which it does not declare',
    })
    expect(messages()).to.deep.equal(['stopping'])
  })
})
