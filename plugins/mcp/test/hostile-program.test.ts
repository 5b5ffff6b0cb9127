import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { outputText } from '@sallyport/core'
import { SchemaSize } from '@sallyport/kit/schemas'
import { toolLoopLimits } from '@sallyport/tool-loop'
import { expect } from 'chai'
import { errorOf } from '@sallyport/stand-ins/errors'
import { until } from '@sallyport/stand-ins/promises'
import { isAlive } from '@sallyport/stand-ins/processes'
import { newHome, startKernel, stopAll } from './support/kernels.js'
import type { Running } from './support/kernels.js'

const program = fileURLToPath(new URL('support/program.js', import.meta.url))
const limits = { timeout: 1, connectTimeout: 3 }

const start = (fault: string, options: object = {}) =>
  startKernel({ servers: { odd: { command: process.execPath, args: [program, fault], ...limits, ...options } } })

const call = async ({ tools }: Running, text = 'hello') => {
  const result = await tools.call({ server: 'odd', name: 'echo', arguments: { text } })
  return { ...result, output: outputText(result) }
}

describe('a program that misbehaves', function () {
  this.timeout(60_000)
  afterEach(stopAll)

  for (const [fault, says] of Object.entries({
    silent: 'did not answer within 3 seconds',
    exits: 'ended with the code 3',
    'list hangs': 'did not answer in time',
    'no list': 'sent no list of tools in its result',
    'huge list': 'lists more than 1000 tools',
    'endless list': 'more than 100 pages',
  }))
    it(`is left out of listings, and its calls fail: ${fault}`, async () => {
      const running = await start(fault)
      expect((await running.tools.list({})).servers).to.deep.equal([])
      for (const work of [call(running), running.tools.list({ server: 'odd' })]) {
        const { message, retryAfter } = await errorOf(work, 'upstream_failed')
        expect(message).to.contain('the tool server odd').and.contain(says)
        expect(retryAfter).to.be.greaterThan(0)
      }
    })

  for (const fault of ['call hangs', 'wrong id', 'not an id'])
    it(`is given up when a call has no answer: ${fault}`, async () => {
      const running = await start(fault)
      expect((await errorOf(call(running), 'deadline_exceeded')).message).to.contain('1 s')
      await until(() => /cancelled \d+/.test(running.log.text()))
    })

  it('fails the call in which it ends, and is started again', async () => {
    const running = await start('crash')
    expect((await errorOf(call(running), 'upstream_failed')).message).to.contain('ended with the code 7')
    await until(async () => (await running.tools.list({})).servers.length === 1)
  })

  it('has its last words heard', async () => {
    const { output } = await call(await start('last words', { timeout: 30 }))
    expect(output).to.have.length(100_000)
  })

  it('is ended when its message is too large, and read no further', async () => {
    const written = join(await newHome(), 'written')
    const running = await start('huge', { timeout: 50, args: [program, 'huge', written] })
    const { message } = await errorOf(call(running), 'upstream_failed')
    expect(message).to.contain('sent a message of more than 8388608 bytes')
    // of 200; what is in the pipe and in buffers comes on top of the 8 that are read
    expect(statSync(written).size).to.be.within(8, 16)
    await until(async () => (await running.tools.list({})).servers.length === 1)
  })

  it('gives no more than it may', async () => {
    const { output } = await call(await start('long', { maxOutput: 1025 }))
    const note = '\n[truncated: the output was longer than 1025 bytes]'
    expect(output).to.equal('é'.repeat(Math.floor((1025 - note.length) / 2)) + note)
    expect(Buffer.byteLength(output)).to.be.within(1024, 1025)
  })

  it('gives by default no more than the tool loop leaves as it is', async () => {
    const { output } = await call(await start('long'))
    expect(Buffer.byteLength(output)).to.be.within(260_000, toolLoopLimits.resultBytes)
  })

  it('may say much besides', async () => {
    const running = await start('much besides', { timeout: 30 })
    expect(await call(running)).to.deep.equal({ output: 'after the flood' })
    const told = running.log.lines.filter(({ message }) => message === 'message of the tool server')
    expect(told.length).to.be.within(1, 1000)
  })

  for (const what of ['log messages', 'answers', 'lines that are no messages'])
    it(`is cut off when it says too much besides, and started again: a flood of ${what}`, async () => {
      const running = await start(`flood of ${what}`, { timeout: 50 })
      const { message } = await errorOf(call(running), 'upstream_failed')
      expect(message).to.contain('the tool server odd sent more than 25000 messages in 10 seconds')
      await until(async () => (await running.tools.list({})).servers.length === 1)
    })

  it('is ended when its message has too many values', async () => {
    const { message } = await errorOf(call(await start('many values')), 'upstream_failed')
    expect(message).to.contain('sent a message of more than 200000 values')
  })

  it('may print what is no message', async () => {
    expect(await call(await start('garbage before'))).to.deep.equal({ output: 'hello' })
  })

  it('has its errors in the log, in lines of bounded length without colours', async () => {
    const running = await start('noise')
    await until(() => running.log.text().includes('nnn'))
    const lines = running.log.lines.filter(({ message }) => message === 'output of the tool server')
    for (const { fields } of lines) expect(String(fields['line'])).to.match(/^n{1900,2000}$|^\(\d+ more lines\)$/)
  })

  it('lists tools with plain names only, each once', async () => {
    const running = await start('odd names', { pin: false })
    const { servers } = await running.tools.list({})
    expect(servers[0]!.tools.map(({ name }) => name)).to.deep.equal(['echo', 'constructor'])
    expect(running.log.text()).to.contain('are left out')
  })

  it('lists tools that a request can carry only, and the log says what is wrong with the others', async () => {
    const running = await start('odd schemas')
    const { servers } = await running.tools.list({})
    expect(servers[0]!.tools.map(({ name }) => name)).to.deep.equal(['good', 'older', 'fewer'])
    const told = running.log.lines.find(({ message }) => message.startsWith('tools with invalid schemas'))!
    expect(told.level).to.equal('warn')
    const problems = told.fields['tools'] as Record<string, string>
    expect(Object.keys(problems).sort()).to.deep.equal(['boolean', 'list', 'outside', 'type'])
    const large = running.log.lines.find(({ message }) => message.startsWith('tools with too large'))!
    expect(Object.keys(large.fields['tools'] as object).sort()).to.deep.equal(['long', 'many'])
    expect(problems['type']).to.match(/^inputSchema\.properties\.a\.type /)
    await errorOf(running.tools.call({ server: 'odd', name: 'type', arguments: {} }), 'unsupported')
  })

  it('lists tools with descriptions of bounded length only, and the log says which have a longer one', async () => {
    for (const [options, names] of [
      [{}, ['echo']],
      [{ maxDescription: 16_385 }, ['echo', 'talker']],
    ] as const) {
      const running = await start('long description', options)
      const { servers } = await running.tools.list({})
      expect(servers[0]!.tools.map(({ name }) => name)).to.deep.equal(names)
      expect(running.log.text().includes('description has 16385 characters')).to.equal(names.length === 1)
    }
  })

  it('lists as many tools as the operator allows', async () => {
    const running = await start('large schemas', { maxTools: 59 })
    const { message } = await errorOf(running.tools.list({ server: 'odd' }), 'upstream_failed')
    expect(message).to.contain('lists more than 59 tools, which is the limit maxTools')
  })

  it('lists as many tools as a request can carry', async () => {
    const running = await start('large schemas')
    const { servers } = await running.tools.list({})
    const size = new SchemaSize()
    for (const { parameters } of servers[0]!.tools) size.add('tools', parameters)
    expect(servers[0]!.tools).to.have.length.within(40, 50)
    await running.tools.list({})
    expect(running.log.lines.filter(({ message }) => message.includes('the last tools are left out'))).to.have.length(1)
    const few = await start('large schemas', { allowedTools: ['echo57', 'echo58'] })
    expect((await few.tools.list({})).servers[0]!.tools).to.have.length(2)
  })

  it('has nothing hidden in its texts', async () => {
    const running = await start('hidden text')
    const { servers } = await running.tools.list({})
    expect(servers[0]!.tools[0]).to.include({ title: 'Echo', description: 'Repeats.' })
    expect(await call(running)).to.deep.equal({ output: 'red right\nnext' })
  })

  for (const [fault, expected] of Object.entries({
    deep: { output: '[structured result: nested too deeply]' },
    'no result': { output: '' },
    'protocol error': { output: 'the server answered the call with an error: no such thing', error: true },
  }))
    it(`has its answer read for what it is: ${fault}`, async () => {
      expect(await call(await start(fault))).to.deep.equal(expected)
    })

  it('has its own requests refused, and pings answered', async () => {
    expect((await call(await start('asks back', { timeout: 10 }))).output.split('\n')).to.deep.equal([
      'elicitation/create -32601',
      'ping {}',
      'roots/list -32601',
      'sampling/createMessage -32601',
    ])
  })

  it('sees of our environment what it needs, and of keys what it is given', async () => {
    process.env['OF_US_API_KEY'] = 'secret'
    try {
      const running = await start('environment', { env: { OF_IT_API_KEY: 'given' } })
      const environment = JSON.parse((await call(running)).output) as Record<string, string>
      expect(environment).to.include({ OF_IT_API_KEY: 'given', PATH: process.env['PATH'] })
      expect(environment).not.to.have.property('OF_US_API_KEY')
      expect(running.log.text()).not.to.contain('given')
    } finally {
      delete process.env['OF_US_API_KEY']
    }
  })

  it('is ended with what it has started', async () => {
    const running = await start('grandchild')
    const pids = (await call(running)).output.split(' ').map(Number)
    expect(pids.map(isAlive)).to.deep.equal([true, true])
    await running.kernel.stop()
    expect(pids.map(isAlive)).to.deep.equal([false, false])
    await errorOf(call(running), 'not_ready')
  })

  it('dies with what it has started when we are killed', async () => {
    const owner = spawn(
      process.execPath,
      [fileURLToPath(new URL('support/owner.js', import.meta.url)), await newHome()],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const [line] = (await once(owner.stdout.setEncoding('utf8'), 'data')) as [string]
    const pids = line.split(' ').map(Number)
    expect(pids.map(isAlive)).to.deep.equal([true, true])
    owner.kill('SIGKILL')
    await until(() => !pids.some(isAlive))
  })

  it('serves 100 callers, each with its own, and is gone afterwards', async () => {
    const running = await start('pid', { timeout: 30 })
    const numbers = Array.from({ length: 100 }, (_, index) => String(index))
    const outputs = await Promise.all(numbers.map(async (number) => (await call(running, number)).output.split(' ')))
    expect(outputs.map(([, text]) => text)).to.deep.equal(numbers)
    const pids = [...new Set(outputs.map(([pid]) => Number(pid)))]
    expect(pids).to.have.length(1)
    await running.kernel.stop()
    expect(pids.map(isAlive)).to.deep.equal([false])
  })

  for (const fault of ['stays', 'ends slowly', 'silent', 'call hangs'])
    it(`is ended whatever it does: ${fault}`, async () => {
      const running = await start(fault)
      const asked = call(running).catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, 300))
      await running.kernel.stop()
      await asked
      const left = spawnSync('ps', ['-o', 'args', '--ppid', String(process.pid)]).stdout.toString()
      expect(left).not.to.contain('program.js')
    })
})
