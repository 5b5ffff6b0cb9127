import { expect } from 'chai'
import { testCall, collectChunks } from '@sallyport/testing'
import { until } from '@sallyport/stand-ins/promises'
import { rejection } from '@sallyport/stand-ins/errors'
import { pause } from './fixtures/calls.js'
import { cleanUp, host, hosting, quick, temporaryFile } from './fixtures/hosting.js'
import type { Action } from './fixtures/probe.js'

/** Starting a process takes a second on a busy machine. */
const patience = 20_000

afterEach(cleanUp)

const restarted = ({ states }: { states: readonly string[] }) => until(() => states.at(-1) === 'ready')

describe('a process that ends', function () {
  this.timeout(patience)

  const ways: Record<string, { action: Action; exit: object }> = {
    'by abort() in native code': { action: 'abort', exit: { signal: 'SIGABRT', code: null } },
    'by a segmentation fault': { action: 'segfault', exit: { signal: 'SIGSEGV', code: null } },
    'by itself': { action: 'exit', exit: { signal: null, code: 3 } },
    'by an error that nobody catches': { action: 'throw later', exit: { signal: null, code: 1 } },
    'its channel first': { action: 'disconnect', exit: { signal: 'SIGKILL' } },
  }

  for (const [name, { action, exit }] of Object.entries(ways))
    it(`${name} fails the calls in flight and is restarted`, async () => {
      const hosting = await host({ limits: quick })
      const { act, service, lines, states } = hosting
      const { pid } = await act('look')
      const streaming = rejection(collectChunks(service.count({ chunks: 1e9, every: 1 }, testCall())))
      const error = await rejection(act(action))
      expect(states.at(-1), 'not waited for').to.equal('restarting')
      expect(error).to.include({ code: 'model_unavailable' })
      expect(error).to.have.property('retryAfter').within(1, 5)
      expect((error as Error).message).to.equal(
        'the model model-x is unavailable: its process ended and is being restarted',
      )
      expect(await streaming).to.include({ code: 'model_unavailable' })
      const again = await act('look')
      expect(again.pid).to.not.equal(pid)
      expect(states).to.deep.equal(['loading', 'ready', 'restarting', 'ready'])
      const ended = lines.find(({ message }) => message === 'the process of the model ended')
      expect(ended?.fields).to.include({ pid, ...exit })
      if (action === 'abort') expect(ended?.fields['lastOutput']).to.include('GGML_ASSERT(n_tokens > 0) failed')
      const thrown = lines.find(({ fields }) => 'error' in fields)?.fields['error']
      if (action === 'throw later') expect(thrown).to.include({ name: 'Error', foreignMessage: 'nobody catches this' })
    })

  it('for memory beyond what it may take, however busy it is, is restarted', async () => {
    const { act, lines } = await host({ limits: quick, isolation: { memory: () => 2 ** 28 } })
    const { pid } = await act('look')
    expect(await rejection(act('hoard'))).to.include({ code: 'model_unavailable' })
    expect((await act('look')).pid).to.not.equal(pid)
    const ended = lines.find(({ message }) => message === 'the process of the model ended')
    expect(ended?.fields).to.include({ pid, signal: 'SIGKILL', killed: false })
  })

  it('by kill -9 in mid-stream keeps what had arrived, and heals', async () => {
    const hosting = await host()
    const { act, service } = hosting
    const { pid } = await act('look')
    const seen: number[] = []
    const read = async () => {
      for await (const { index } of service.count({ chunks: 1e9, every: 1 }, testCall())) {
        seen.push(index)
        if (seen.length === 30) process.kill(pid, 'SIGKILL')
      }
    }
    expect(await rejection(read())).to.include({ code: 'model_unavailable' })
    expect(seen).to.deep.equal(seen.map((_, position) => position))
    expect((await act('look')).pid, 'the call waited for the restart').to.not.equal(pid)
  })

  it('while nobody calls is restarted too', async () => {
    const hosting = await host({ limits: quick })
    process.kill((await hosting.act('look')).pid, 'SIGKILL')
    await until(() => hosting.states.includes('restarting'))
    await restarted(hosting)
  })

  it('makes streams wait for the next one as well', async () => {
    const { act, service } = await host({ limits: quick })
    await rejection(act('abort'))
    expect(await collectChunks(service.count({ chunks: 3, every: 0 }, testCall()))).to.have.length(3)
  })

  it('lets calls wait only so long', async () => {
    const limits = { restartWait: 300, restart: { firstDelay: 3_600_000 } }
    const { act, service } = await host({ limits })
    await rejection(act('abort'))
    const order: string[] = []
    const ended = async (name: string, call: Promise<unknown>) => {
      const error = await rejection(call)
      order.push(name)
      return error
    }
    const patient = ended('patient', act('look'))
    const hurried = ended('hurried', service.act({ action: 'look' }, testCall({ deadline: Date.now() + 10 })))
    const controller = new AbortController()
    const aborted = ended('aborted', service.act({ action: 'look' }, testCall({ signal: controller.signal })))
    expect(await hurried).to.include({ code: 'model_unavailable' })
    const reason = new Error('gone')
    controller.abort(reason)
    expect(await aborted).to.equal(reason)
    expect(await patient)
      .to.include({ code: 'model_unavailable' })
      .and.have.property('retryAfter')
    expect(order).to.deep.equal(['hurried', 'aborted', 'patient'])
  })
})

describe('a load that fails', function () {
  this.timeout(patience)

  it('with an error of the table is not tried again', async () => {
    const { started, states, lines } = hosting({ load: 'model_invalid' })
    const error = await rejection(started)
    expect(error).to.include({ code: 'model_invalid', message: 'model model-x: no magic' })
    expect(states).to.deep.equal(['loading', 'failed'])
    expect(lines.filter(({ message }) => message === 'the model could not be loaded')).to.have.length(1)
  })

  it('with an error of a library keeps its text in the log', async () => {
    const { started, lines } = hosting({ load: 'library' })
    const error = (await rejection(started)) as Error
    expect(error).to.include({ code: 'model_unavailable' })
    expect(error.message).to.not.contain('secret')
    expect(JSON.stringify(lines)).to.contain('failed to mmap /secret/path')
  })

  it('by a crash is tried once more', async () => {
    const { started, states } = hosting({ load: 'abort' })
    expect(await rejection(started)).to.include({
      code: 'model_unavailable',
      message: 'the model model-x is unavailable: its process ended while it was loading (SIGABRT)',
    })
    expect(states).to.deep.equal(['loading', 'failed'])
  })

  for (const [name, settings, cause] of [
    ['being killed', { load: 'killed' }, /the machine ran out of memory$/],
    ['taking more memory than it may', { load: 'hang', isolation: { memory: () => 1024 } }, /than its limit of 1024$/],
  ] as const)
    it(`by ${name} says that memory is short`, async () => {
      const error = (await rejection(hosting(settings).started)) as Error
      expect(error).to.include({ code: 'insufficient_memory' })
      expect(error.message).to.match(cause)
    })

  it('by leaving its parent is a crash like others', async () => {
    const error = (await rejection(hosting({ load: 'disconnect' }).started)) as Error
    expect(error).to.include({ code: 'model_unavailable' })
    expect(error.message).to.match(/its process ended while it was loading \(the channel was closed\)$/)
  })

  it('by hanging is given up', async () => {
    const limits = { maxSilence: 100, maxLoadSilence: 300 }
    const error = (await rejection(hosting({ load: 'hang', limits }).started)) as Error
    expect(error).to.include({ code: 'model_unavailable' })
    expect(error.message).to.match(/it did not answer for .* s while it was loading$/)
  })

  it('takes as long as it needs otherwise', async () => {
    const { act } = await host({ load: 'slow', limits: { maxSilence: 1000, maxLoadSilence: 15_000 } })
    await act('look')
  })

  it('because the plugin provides what it does not declare ends the process', async () => {
    const error = (await rejection(hosting({ load: 'undeclared' }).started)) as Error
    expect(error).to.include({ code: 'plugin_invalid' })
    expect(error.message).to.contain('provides tokens, which it does not declare')
  })

  it('because no process can be started is reported', async () => {
    const { execPath } = process
    process.execPath = '/nonexistent/node'
    try {
      expect(await rejection(hosting().started)).to.include({ code: 'model_unavailable' })
    } finally {
      process.execPath = execPath
    }
  })

  it('because the plugin or its backend is not there is reported', async () => {
    const nowhere = await rejection(hosting({ moduleUrl: 'file:///nonexistent/plugin.js' }).started)
    expect(nowhere).to.include({ code: 'plugin_invalid' })
    const other = await rejection(hosting({ backendName: 'other' }).started)
    expect(other).to.include({ code: 'plugin_invalid', message: 'plugin probe: it has no backend other' })
  })

  it('because it is given up leaves no process', async () => {
    const controller = new AbortController()
    const { started, states } = hosting({ load: 'hang', signal: controller.signal })
    await pause(300)
    controller.abort()
    expect(await rejection(started)).to.include({ code: 'model_unavailable' })
    expect(states).to.deep.equal(['loading', 'stopped'])
  })
})

describe('a process that keeps ending', function () {
  const breaker = { restart: { ...quick.restart, maxCrashes: 3 } }
  this.timeout(patience)

  it('is given up, tried slowly, and serves again when it heals', async () => {
    const { act, states, lines } = await host({ limits: breaker })
    for (let crash = 1; crash <= 3; crash += 1) {
      await rejection(act('abort'))
      if (crash < 3) await restarted({ states })
    }
    expect(states.at(-1)).to.equal('failed')
    const error = (await rejection(act('look'))) as Error
    expect(states.at(-1), 'at once').to.equal('failed')
    expect(error).to.include({ code: 'model_unavailable' })
    expect(error.message).to.match(/its process ended repeatedly: try again in \d s$/)
    await restarted({ states })
    await act('look')
    expect(lines.filter(({ message }) => message === 'the process of the model ended')).to.have.length(3)
  })

  it('while it loads again is tried with back-off', async () => {
    const hosting = await host({ load: 'abort', spareFirst: temporaryFile(), limits: breaker })
    await rejection(hosting.act('abort'))
    await until(() => hosting.states.at(-1) === 'failed', 15_000)
    expect(hosting.lines.filter(({ message }) => message === 'the model could not be restarted')).to.have.length(2)
    await hosting.hosted.stop(AbortSignal.abort())
    expect(hosting.states).to.deep.equal(['loading', 'ready', 'restarting', 'failed', 'stopped'])
  })

  it('can be stopped at any time', async () => {
    for (const wait of [0, 20, 120]) {
      const { act, hosted, states } = await host({ limits: quick })
      await rejection(act('abort'))
      // answered where it is back before it is stopped
      const waiting = act('look').catch((error: unknown) => error)
      await pause(wait)
      await hosted.stop(AbortSignal.abort())
      await waiting
      expect(states.at(-1)).to.equal('stopped')
    }
  })
})
