import { expect } from 'chai'
import { RestartPolicy, restartLimits } from '../../src/processes/restart-policy.js'

const steady = () => 0.5

/** Delays of crashes at these times, in seconds; the process had been ready for `uptime` seconds each time. */
const delays = (times: readonly number[], uptime = 0, policy = new RestartPolicy(restartLimits, steady)) =>
  times.map((time) => Math.round(policy.crashed(time * 1000, uptime * 1000).delay))

describe('the restart policy', () => {
  it('restarts at once, then backs off by doubling up to a minute', () => {
    const apart = [0, 20, 40, 60, 80, 100, 120, 140, 160]
    expect(delays(apart)).to.deep.equal([100, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
  })

  it('gives up after five crashes in a minute', () => {
    const policy = new RestartPolicy(restartLimits, steady)
    const decisions = [0, 1, 2, 3, 4].map((time) => policy.crashed(time * 1000, 500))
    expect(decisions.map(({ failed }) => failed)).to.deep.equal([false, false, false, false, true])
    expect(decisions.at(-1)).to.deep.equal({ failed: true, delay: 60_000 })
  })

  it('stays cautious until the process has run for a minute', () => {
    const policy = new RestartPolicy(restartLimits, steady)
    delays([0, 1, 2, 3, 4], 0, policy)
    expect(policy.crashed(70_000, 5000)).to.deep.equal({ failed: true, delay: 60_000 })
    expect(policy.crashed(200_000, 60_000)).to.deep.equal({ failed: false, delay: 100 })
  })

  it('spreads restarts by a fifth', () => {
    const at = (random: number) => Math.round(new RestartPolicy(restartLimits, () => random).crashed(0, 0).delay)
    expect([at(0), at(1)]).to.deep.equal([80, 120])
  })
})
