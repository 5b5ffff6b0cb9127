import { createKernel } from '@sallyport/kernel'
import type { Kernel } from '@sallyport/core'
import { expect } from 'chai'
import { hasLeaked, isOtherwise, Listener } from './bench/guard/heard.js'
import { isBlocked, marks, textOf } from './bench/guard/script.js'
import { streamsConfig } from './bench/guard/streams-config.js'
import { freePort } from './bench/servers/launch.js'

const scripts = Array.from({ length: 100 }, (_, script) => script)

describe('a hundred guarded streams at the same time', function () {
  this.timeout(120_000)
  let kernel: Kernel
  let listener: Listener
  before(async () => {
    const port = await freePort()
    kernel = await createKernel(streamsConfig(port, scripts.length))
    listener = new Listener(`http://127.0.0.1:${port}`)
  })
  after(async () => {
    listener.close()
    await kernel.stop()
  })

  it('leak nothing, and say what the answer in one piece says, up to what is blocked', async () => {
    expect(
      scripts.filter((script) => marks.test(textOf(script))),
      'scripts with secrets',
    ).to.have.length.above(90)
    const heard = await Promise.all(scripts.map((script) => listener.streamed(script)))
    const whole = await Promise.all(scripts.map((script) => listener.whole(script)))
    expect(heard.filter(hasLeaked)).to.deep.equal([])
    for (const script of scripts)
      if (isOtherwise(script, heard[script]!, whole[script]!))
        expect.fail(`script ${script}: ${JSON.stringify(heard[script])} is not ${JSON.stringify(whole[script])}`)
    expect(heard.filter(({ blocked }) => blocked)).to.have.length(scripts.filter(isBlocked).length)
    expect(heard.filter(({ blocked, said }) => blocked && said.length > 40)).to.have.length.above(10)
  })
})
