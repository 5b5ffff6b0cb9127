import { existsSync, writeFileSync } from 'node:fs'
import { expect } from 'chai'
import { testCall, collectChunks } from '@sallyport/testing'
import { until } from '@sallyport/stand-ins/promises'
import { rejection } from '@sallyport/stand-ins/errors'
import { pause } from './fixtures/calls.js'
import { cleanUp, gone, host, quick, temporaryFile } from './fixtures/hosting.js'
import { endProcesses, startProcess } from './fixtures/processes.js'

/** Starting a process takes a second on a busy machine. */
const patience = 20_000

afterEach(cleanUp)

describe('a process that hangs', function () {
  this.timeout(patience)

  const limits = { ...quick, maxSilence: 1500 }

  it('in native code is killed and restarted', async () => {
    const hosting = await host({ limits })
    const { act, lines } = hosting
    const { pid } = await act('look')
    expect(await rejection(act('hang'))).to.include({ code: 'model_unavailable' })
    await gone(pid)
    await act('look')
    const ended = lines.find(({ message }) => message === 'the process of the model ended')
    expect(ended?.fields).to.include({ signal: 'SIGKILL', hung: true })
    expect(ended?.fields.reason).to.match(/did not answer for \d+\.\d s/)
  })

  it('because it is stopped (SIGSTOP) is killed and restarted, even without heartbeats', async () => {
    const { act, service, lines } = await host({ limits: { ...limits, maxWatchdogSilence: 60_000 } })
    const { pid } = await act('look')
    const streaming = rejection(collectChunks(service.count({ chunks: 1e9, every: 1 }, testCall())))
    process.kill(pid, 'SIGSTOP')
    expect(await streaming).to.include({ code: 'model_unavailable' })
    await gone(pid)
    expect((await act('look')).pid).to.not.equal(pid)
    const ended = lines.find(({ message }) => message === 'the process of the model ended')
    expect(ended?.fields).to.include({ signal: 'SIGKILL', hung: true })
  })

  it('for less than the limit goes on', async () => {
    const { act, states } = await host({ limits: { ...limits, maxSilence: 4000 } })
    const { pid } = await act('look')
    process.kill(pid, 'SIGSTOP')
    await pause(500)
    process.kill(pid, 'SIGCONT')
    expect((await act('look')).pid).to.equal(pid)
    expect(states).to.deep.equal(['loading', 'ready'])
  })
})

describe('the heartbeats of a process', function () {
  this.timeout(patience)
  afterEach(endProcesses)

  for (const [when, load] of [
    ['before its event loop may be missed', {}],
    ['while it loads, too', { load: 'hang' }],
  ] as const)
    it(`show that it was suspended, ${when}`, async () => {
      const probe = startProcess(1000)
      const loading = probe.load(load).catch((error: unknown) => error)
      await probe.heartbeats(1)
      probe.stop()
      const { reason, ...exit } = await probe.process.exited
      expect(exit).to.include({ signal: 'SIGKILL', hung: true, killed: true })
      expect(reason).to.match(/^it was suspended: no heartbeat for .* s$/)
      await loading
    })

  it('go on while native code holds its event loop', async () => {
    const compute = { begun: temporaryFile(), mayEnd: temporaryFile() }
    const probe = startProcess(60_000)
    await probe.load({ compute })
    const computing = probe.act('compute')
    await until(() => existsSync(compute.begun))
    await probe.heartbeats(3)
    writeFileSync(compute.mayEnd, '')
    expect(await computing).to.include({ pid: probe.process.pid })
  })
})
