import { getEventListeners, once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { onAbort } from '../../src/async/on-abort.js'

describe('what hears of an abort', () => {
  it('is called once, in the order in which it asked, unless it has stopped to listen', () => {
    const controller = new AbortController()
    const heard: number[] = []
    const stops = [0, 1, 2].map((each) => onAbort(controller.signal, () => heard.push(each)))
    stops[1]!()
    controller.abort()
    controller.abort()
    expect(heard).to.deep.equal([0, 2])
  })

  it('is not called once another that hears of it has stopped it', () => {
    const controller = new AbortController()
    const heard: string[] = []
    onAbort(controller.signal, () => stopOther())
    const stopOther = onAbort(controller.signal, () => heard.push('stopped'))
    controller.abort()
    expect(heard).to.deep.equal([])
  })

  it('leaves nothing behind on the signal', () => {
    const { signal } = new AbortController()
    const stops = Array.from({ length: 20 }, () => onAbort(signal, () => undefined))
    expect(getEventListeners(signal, 'abort')).to.have.length(1)
    for (const stop of stops) stop()
    expect(getEventListeners(signal, 'abort')).to.have.length(0)
    const heard: true[] = []
    onAbort(signal, () => heard.push(true))
    expect(getEventListeners(signal, 'abort')).to.have.length(1)
  })

  it('may be many without a warning', async () => {
    const warned = once(process, 'warning').then(([warning]) => warning as unknown)
    const { signal } = new AbortController()
    for (let each = 0; each < 50; each += 1) onAbort(signal, () => undefined)
    expect(await Promise.race([warned, turn('none')])).to.equal('none')
  })
})
