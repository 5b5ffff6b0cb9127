import { expect } from 'chai'
import { callWith, collect, pause, rejection } from './fixtures/calls.js'
import { cleanUp, gone, host, hosting, quick } from './fixtures/hosting.js'

/** Starting a process takes a second on a busy machine. */
const patience = 20_000

afterEach(cleanUp)

describe('a process that hangs', function () {
  this.timeout(patience)

  const limits = { ...quick, silence: 400 }

  it('in native code is killed and restarted', async () => {
    const hosting = await host({ limits })
    const { act, lines } = hosting
    const { pid } = await act('look')
    const started = performance.now()
    expect(await rejection(act('hang'))).to.include({ code: 'model_unavailable' })
    expect(performance.now() - started).to.be.within(350, 2500)
    await gone(pid)
    await act('look')
    const ended = lines.find(({ message }) => message === 'the process of the model ended')
    expect(ended?.fields).to.include({ signal: 'SIGKILL', hung: true })
    expect(ended?.fields.reason).to.contain('did not answer for 0.')
  })

  /** The thread that gives them needs some time to begin. */
  const signsOfLife = () => pause(1000)

  const stopsOf: [string, { silence: number; stopped: number }][] = [
    ['before its event loop may be missed', { silence: 60_000, stopped: 1000 }],
    ['even without signs of life', { silence: 400, stopped: 60_000 }],
  ]
  for (const [when, times] of stopsOf)
    it(`because it is stopped (SIGSTOP) is killed and restarted, ${when}`, async () => {
      const { act, service, lines } = await host({ limits: { ...quick, ...times } })
      const { pid } = await act('look')
      const streaming = rejection(collect(service.count({ chunks: 1e9, every: 1 }, callWith())))
      await signsOfLife()
      process.kill(pid, 'SIGSTOP')
      expect(await streaming).to.include({ code: 'model_unavailable' })
      await gone(pid)
      expect((await act('look')).pid).to.not.equal(pid)
      const ended = lines.find(({ message }) => message === 'the process of the model ended')
      expect(ended?.fields).to.include({ signal: 'SIGKILL', hung: true })
    })

  it('because it is stopped is noticed while it loads, too', async () => {
    const { started } = hosting({ load: 'stop', limits: { stopped: 1000 } })
    const error = (await rejection(started)) as Error
    expect(error.message).to.match(/it was stopped: no sign of life for .* s while it was loaded$/)
  })

  it('in native code alone, whose thread gives signs of life, goes on', async () => {
    const { act, states } = await host({ limits: { stopped: 1200 } })
    const { pid } = await act('compute')
    expect((await act('look')).pid).to.equal(pid)
    expect(states).to.deep.equal(['loading', 'ready'])
  })

  it('for less than the limit goes on', async () => {
    const { act, states } = await host({ limits: { ...limits, silence: 4000 } })
    const { pid } = await act('look')
    process.kill(pid, 'SIGSTOP')
    await pause(500)
    process.kill(pid, 'SIGCONT')
    expect((await act('look')).pid).to.equal(pid)
    expect(states).to.deep.equal(['loading', 'ready'])
  })
})
