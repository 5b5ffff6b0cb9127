import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { program, root, runNode } from '@sallyport/stand-ins/command-line'

/** A service that says when it has started, keeps the process alive as a server does, and takes its time to drain. */
const plugin = `
import { announce, chat, definePlugin, inject, injectable, logger, options, provide } from '${root}core/contract/dist/src/index.js'
import { injection } from '${root}core/checks/dist/src/index.js'
class Slow {
  static bindings = ({ bound }) => bound.map((policy) => ({ policy, by: 'route /x' }))
  constructor(announce, options, logger) { Object.assign(this, { announce, options, logger }) }
  async start() {
    for (let line = 0; line < this.options.lines; line += 1) this.logger.info({ line }, 'x'.repeat(200))
    if (this.options.fails) setTimeout(() => { throw new TypeError('said by a user') }, 500)
    this.timer = setInterval(() => undefined, 1000)
    this.announce('started')
  }
  async drain() { await new Promise((resolve) => setTimeout(resolve, this.options.drain)) }
  async stop() { clearInterval(this.timer) }
}
inject(announce)(Slow, undefined, 0)
inject(options)(Slow, undefined, 1)
inject(logger)(Slow, undefined, 2)
injectable()(Slow)
class Talk { async *stream() {} }
class Idle { load() {} }
class Finds { async load() { return { provides: [provide(injection, { async inspect() {} })] } } }
export default definePlugin({
  name: 'slow',
  options: { type: 'object', properties: { drain: { type: 'integer', default: 0 }, bound: { type: 'array', default: [] }, lines: { type: 'integer', default: 0 }, fails: { type: 'boolean', default: false } } },
  services: [Slow],
  models: { talker: { capability: chat, class: Talk } },
  backends: {
    files: { description: 'd', capabilities: [chat], class: Idle },
    gguf: { description: 'd', capabilities: [chat], class: Idle, formats: ['.gguf'] },
    words: { description: 'd', capabilities: [chat], class: Idle, files: { model: { names: ['m'] }, words: { names: ['w'] } } },
    finds: { description: 'd', capabilities: [injection], class: Finds, files: 'none' },
  },
})
`

describe('a start', function () {
  this.timeout(20_000)
  const directory = useTemporaryDirectory()
  directory.write('slow.mjs', plugin)
  const write = (text: string) => directory.write('config.yaml', text)

  it('finds models that cannot be had before anything has started', async () => {
    const file = write(
      'plugins: [./slow.mjs]\nmodels:\n  silero-vat: {backend: files}\n  b: {backend: files, source: ./n}\n' +
        '  c: {backend: gguf, source: silero-vad}\n  d: {backend: words, source: silero-vad}\n',
    )
    const { code, output } = await runNode([program, 'serve', '--config', file], directory.path)
    expect(code).to.equal(1)
    expect(output).not.to.contain('started')
    expect(output).to.contain(
      '4 problems\n  config.yaml:3:3: models.silero-vat: is not in the catalogue: did you mean "si',
    )
    expect(output).to.contain('\n  config.yaml:4:31: models.b.source: "./n": there is no such file')
    expect(output).to.contain(': "silero-vad": its weights are silero_vad.onnx, and the backend reads .gguf')
    expect(output).to.contain(': "silero-vad": its entry in the catalogue has no file "words", which the backend needs')
  })

  /** Starts a server and waits until it has. */
  const start = async (text: string, read = true) => {
    const child = spawn(process.execPath, [program, 'serve', '--config', write(text)], { cwd: directory.path })
    let output = ''
    if (!read) child.stdout.destroy()
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (piece: string) => (output += piece))
    const ended = once(child, 'exit')
    while (!output.includes('"ready"')) {
      expect(child.exitCode, output).to.equal(null)
      await sleep(20)
    }
    return { child, ended, output: () => output }
  }

  it('says which configuration it uses, and at the end that it has stopped', async () => {
    const { child, ended, output } = await start('plugins: [./slow.mjs]\n')
    child.kill('SIGINT')
    await ended
    expect(child.exitCode, output()).to.equal(0)
    expect(output()).to.match(/^Configuration: config\.yaml\nstarted\n/)
    expect(output().trimEnd().split('\n').at(-1)).to.contain('"msg":"stopped"')
  })

  it('warns of checks that nothing can do', async () => {
    const { child, ended, output } = await start(
      'plugins: [./slow.mjs]\npolicies: {default: {input: {injection: true}}}\n',
    )
    child.kill('SIGINT')
    await ended
    const message =
      'config.yaml:2:30: policies.default.input.injection: no model provides "injection": every request to talker ' +
      'would be refused; configure a model with the backend "finds", or remove the check'
    const lines = output().split('\n')
    expect(lines).to.include(`Problem: ${message}`)
    const logged = lines.find((each) => each.startsWith('{') && each.includes('no model provides'))
    expect(JSON.parse(logged ?? '{}')).to.include({ level: 50, msg: message })
  })

  const told: [what: string, more: string, expected: RegExp | undefined, bound?: string][] = [
    ['a policy that nothing has', 'policies: {strict: {}}', /"policy":"strict","msg":"the policy guards no model/],
    ['no policy that a route has', 'policies: {bound: {}}', undefined, 'bound'],
    [
      'a route whose policy there is not',
      '',
      /"policy":"lost","by":"route \/x","msg":"route \/x is bound to the policy \\"lost\\", which there is not/,
      'lost',
    ],
    [
      'detectors that nothing asks',
      'models: {one: {backend: finds}, two: {backend: finds}}',
      /"check":"injection","asked":"one","idle":\["two"\]/,
    ],
  ]
  for (const [what, more, expected, bound = ''] of told)
    it(`tells of ${what}`, async () => {
      const { child, ended, output } = await start(
        `plugins: [{use: ./slow.mjs, options: {bound: [${bound}]}}]\n${more}\n`,
      )
      child.kill('SIGINT')
      await ended
      const lines = output()
        .split('\n')
        .filter((line) => /"policy":|"check":/.test(line))
      if (expected) expect(lines.join('\n')).to.match(expected)
      else expect(lines).to.deep.equal([])
    })

  it('goes on where nobody reads what it says', async () => {
    const { child, ended, output } = await start('plugins: [./slow.mjs]\n', false)
    child.kill('SIGINT')
    await ended
    expect(child.exitCode, output()).to.equal(0)
  })

  it('goes on where its log is not read, tells how much is missing, and ends in time', async () => {
    const config = write('plugins: [{use: ./slow.mjs, options: {lines: 20000}}]\n')
    const child = spawn(process.execPath, [program, 'serve', '--config', config], { cwd: directory.path })
    const ended = once(child, 'exit')
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (piece: string) => (printed += piece))
    // Nobody reads standard error: a pipe holds less than a tenth of what is written.
    while (!printed.includes('started')) await sleep(20)
    let logged = ''
    child.stderr.setEncoding('utf8').on('data', (piece: string) => (logged += piece))
    while (!logged.includes('"ready"')) await sleep(20)
    child.kill('SIGTERM')
    await ended
    expect(child.exitCode).to.equal(0)
    const lines = logged
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { msg: string; dropped?: number })
    const dropped = lines.reduce((sum, line) => sum + (line.dropped ?? 0), 0)
    expect(dropped).to.be.above(0)
    expect(lines.filter(({ msg }) => msg.startsWith('xxx'))).to.have.length(20_000 - dropped)
    expect(lines.at(-1)?.msg).to.equal('stopped')
  })

  it('goes on where the reader of its log has died, and ignores that its terminal was closed', async () => {
    const { child, ended, output } = await start('plugins: [./slow.mjs]\n')
    child.kill('SIGHUP')
    while (!output().includes('the signal is ignored')) await sleep(20)
    child.stderr.destroy()
    child.stdout.destroy()
    child.kill('SIGHUP')
    await sleep(200)
    expect(child.exitCode).to.equal(null)
    child.kill('SIGTERM')
    await ended
    expect(child.exitCode).to.equal(0)
  })

  for (const exceptions of ['frames', 'full'])
    it(`logs an error that ends it, and what that says only where it is wanted: ${exceptions}`, async () => {
      const { ended, child, output } = await start(
        `plugins: [{use: ./slow.mjs, options: {fails: true}}]\nlog: {exceptions: ${exceptions}}\n`,
      )
      await ended
      await sleep(100)
      expect(child.exitCode).to.equal(1)
      const last = JSON.parse(output().trimEnd().split('\n').at(-1) ?? '') as { err: object; msg: string }
      expect(last.msg).to.contain('nothing expected')
      expect(last.err).to.include({ type: 'TypeError' }).and.have.property('stack').that.contains('slow.mjs')
      expect(output().includes('said by a user')).to.equal(exceptions === 'full')
    })

  it('takes a signal that comes twice at once for one, and another one for the wish to end at once', async () => {
    const { child, ended } = await start('plugins: [{use: ./slow.mjs, options: {drain: 10000}}]\n')
    child.kill('SIGINT')
    await sleep(10)
    child.kill('SIGINT')
    await sleep(500)
    expect(child.exitCode, 'it drains').to.equal(null)
    child.kill('SIGINT')
    await ended
    expect(child.exitCode).to.equal(1)
  })
})
