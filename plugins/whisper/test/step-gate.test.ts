import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { StepGate } from '../src/model/step-gate.js'

const hold = (milliseconds: number) => {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}

/** As onnxruntime does: in a turn of its own, which it holds. */
const run = async (milliseconds: number) => {
  await turn()
  hold(milliseconds)
}

describe('steps of a model', () => {
  it('leave time for the search for speech in other recordings, however many frames that has', async () => {
    const gate = new StepGate()
    const meter = gate
      .counted({ start: () => ({ measure: () => run(0.05).then(() => 0) }), release: () => Promise.resolve() })
      .start()
    let steps = 0
    let searched = false
    const search = async () => {
      for (let frame = 0; frame < 200; frame += 1) await meter.measure(new Float32Array(0))
      searched = true
    }
    const model = async () => {
      for (; !searched; steps += 1) await gate.step(() => run(20))
    }
    await Promise.all([search(), model()])
    expect(steps, 'where each frame waits for a step there are 200').to.be.below(60)
  })

  it('follow each other at once where nothing is searched', async () => {
    const gate = new StepGate()
    let turns = 0
    let ended = false
    const count = async () => {
      for (; !ended; turns += 1) await turn()
    }
    const counting = count()
    for (let step = 0; step < 20; step += 1) await gate.step(() => Promise.resolve())
    ended = true
    await counting
    expect(turns).to.be.below(5)
  })
})
