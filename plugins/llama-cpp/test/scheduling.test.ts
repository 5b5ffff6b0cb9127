import { expect } from 'chai'
import { SliceSizer } from '../src/engine/slice-sizer.js'
import { ThreadGovernor } from '../src/engine/thread-governor.js'

describe('slices of prompts', () => {
  it('are as large as the time allows, within bounds', () => {
    const sizes = [0.01, 0.25, 100].map((tokensPerMillisecond) => {
      const slices = new SliceSizer(80, 128)
      slices.learn(64, 64 / tokensPerMillisecond)
      return slices.next(1000, false)
    })
    expect(sizes).to.deep.equal([8, 20, 125])
  })

  it('follow the speed', () => {
    const slices = new SliceSizer(100, 128)
    for (let count = 0; count < 30; count += 1) slices.learn(50, 100)
    expect(slices.next(500, false)).to.equal(50)
    for (let count = 0; count < 30; count += 1) slices.learn(50, 400)
    expect(slices.next(500, false)).to.be.closeTo(12, 1)
  })

  it('are even, so that none is tiny', () => {
    const slices = new SliceSizer(100, 128)
    slices.learn(20, 100)
    expect(slices.next(21, false)).to.equal(11)
    expect(slices.next(20, false)).to.equal(20)
  })

  it('do not follow the speed where a text must be reproducible', () => {
    const slices = new SliceSizer(100, 128)
    slices.learn(100, 10)
    expect(slices.next(64, true)).to.equal(8)
  })
})

describe('the number of threads', () => {
  /** A machine whose evaluations take so long by threads; time passes while it evaluates. */
  const simulate = (max: number) => {
    let time = 0
    const cores = { free: max }
    const governor = new ThreadGovernor(
      max,
      () => cores.free,
      () => time,
    )
    const run = (evaluations: number, costs: Readonly<Record<number, number>>, tokens = 1) => {
      const used: number[] = []
      for (let count = 0; count < evaluations; count += 1) {
        const threads = governor.choose(tokens)
        const milliseconds = (costs[threads] ?? NaN) * tokens
        used.push(threads)
        time += milliseconds
        governor.observe(tokens, milliseconds)
      }
      return used
    }
    return { governor, run, cores }
  }
  const quiet = { 4: 10, 2: 16, 1: 30 }
  const crowded = { 4: 1000, 2: 500, 1: 60 }

  it('of which only so many are worth measuring as there are cores free', () => {
    const { governor, cores } = simulate(4)
    cores.free = 1.5
    expect(governor.choices.filter((threads) => governor.affords(threads))).to.deep.equal([2, 1])
    cores.free = 4
    expect(governor.affords(4)).to.equal(true)
  })

  it('begins as measured', () => {
    for (const [times, threads] of [
      [[10, 16, 30], 4],
      [[10, 9.5, 30], 4],
      [[10, 8, 30], 2],
      [[900, 400, 50], 1],
    ] as const) {
      const { governor } = simulate(4)
      governor.start(new Map(governor.choices.map((choice, index) => [choice, times[index]!])), 1)
      expect(governor.threads).to.equal(threads)
    }
  })

  it('stays while nothing disturbs', () => {
    const { run } = simulate(4)
    expect(new Set(run(500, quiet))).to.deep.equal(new Set([4]))
  })

  it('stays at a single hiccup', () => {
    const { governor, run } = simulate(4)
    run(10, quiet)
    run(1, { 4: 100 })
    expect(governor.threads).to.equal(4)
    run(10, quiet)
    expect(governor.threads).to.equal(4)
  })

  it('falls when others take the cores, and rises when they leave', () => {
    const { governor, run } = simulate(4)
    run(10, quiet)
    const used = run(200, crowded)
    expect(used.filter((threads) => threads === 1).length).to.be.greaterThan(180)
    run(2000, quiet)
    expect(governor.threads).to.equal(4)
  })

  it('tries more threads less and less often while that is slower', () => {
    const { run } = simulate(2)
    run(10, quiet)
    run(50, crowded)
    const trials = run(2000, crowded).filter((threads) => threads === 2).length
    expect(trials).to.be.within(1, 15)
  })

  it('follows the cores that others leave', () => {
    const { governor, run, cores } = simulate(4)
    run(10, quiet)
    cores.free = 2.2
    run(3, quiet)
    expect(governor.threads).to.equal(2)
    run(500, quiet)
    expect(governor.threads).to.equal(2)
    cores.free = 3.7
    run(500, quiet)
    expect(governor.threads).to.equal(4)
  })

  it('does not take the price of a single token for that of many', () => {
    const { governor, run } = simulate(2)
    run(10, { 2: 1 }, 64)
    run(10, { 2: 8 }, 1)
    expect(governor.threads).to.equal(2)
  })

  it('is one on one core', () => {
    expect(simulate(1).governor.choices).to.deep.equal([1])
    expect(simulate(6).governor.choices).to.deep.equal([6, 3, 2, 1])
  })
})
