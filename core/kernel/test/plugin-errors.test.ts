import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { chat, definePlugin, embedding, errorTrace, silentLogger } from '@sallyport/core'
import { inject, injectable, kernel as kernelToken } from '@sallyport/core'
import type { Kernel, Logger } from '@sallyport/core'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { failureOf } from '@sallyport/stand-ins/errors'
import { createKernel } from '../src/create-kernel.js'
import { says, withBackend, withModel } from './support/kernels.js'

/** The source of a plugin whose backend is this class. */
const backendOf = (body: string, isolation = '') =>
  `import { chat, definePlugin, provide } from '@sallyport/core'
   class Odd { ${body} }
   export default definePlugin({ name: 'odd', backends: {
     odd: { description: 'odd', capabilities: [chat], class: Odd, files: 'none' ${isolation} } } })`

const isolated = ', isolation: {}'

describe('a plugin that fails', () => {
  const { write, path } = useTemporaryDirectory()
  const file = join(path, 'odd.mjs')
  const nothing =
    'load() of its backend returned no model for m: it must return { provides: [provide(capability, service), …] }'

  const cases: [name: string, source: string, message: string][] = [
    ['load() returns nothing', backendOf('async load() {}'), `plugin odd (${file}): ${nothing}`],
    ['load() returns no promise', backendOf('load() {}'), `plugin odd (${file}): ${nothing}`],
    [
      'load() returns nothing, in a process of its own',
      backendOf('async load() {}', isolated),
      `plugin odd (${file}): ${nothing}`,
    ],
    [
      'load() returns what is no model',
      backendOf('async load() { return { provides: [chat] } }'),
      `plugin odd (${file}): ${nothing}`,
    ],
    [
      'load() is missing',
      backendOf('async start() {}'),
      `plugin odd (${file}): the class of its backend has no method load()`,
    ],
    [
      'load() throws',
      backendOf(`async load() { throw new Error('a secret') }`),
      `model m is unavailable: it could not be loaded by the plugin odd (${file}); the log has the details`,
    ],
    [
      'load() asks a model of which only the log says more',
      backendOf(`async load() {
        const { failure } = await import('@sallyport/core')
        throw failure('internal', { requestId: 'r1' })
      }`),
      `model m is unavailable: it could not be loaded by the plugin odd (${file}); the log has the details`,
    ],
    [
      'a constructor throws',
      backendOf(`constructor() { throw new Error('no luck') } async load() {}`),
      `plugin odd (${file}): its class Odd threw an error while it was constructed (Error: no luck)`,
    ],
    [
      'a parameter has no decorator',
      backendOf(`constructor(options) {} async load() {}`),
      `plugin odd (${file}): its class Odd cannot be constructed: it needs @injectable()`,
    ],
    [
      'a method is missing',
      backendOf('async load() { return { provides: [provide(chat, {})] } }'),
      `plugin odd (${file}): its service for chat has no method stream()`,
    ],
    [
      'the default export is no plugin',
      'export default class Odd {}',
      'odd.mjs: has no default export made by definePlugin',
    ],
    [
      'the constructor of a model of its own throws',
      `import { chat, definePlugin } from '@sallyport/core'
      class Own { constructor() { throw new Error('no luck') } }
      export default definePlugin({ name: 'odd', models: { own: { capability: chat, class: Own } } })`,
      `plugin odd (${file}): its class Own threw an error while it was constructed (Error: no luck)`,
    ],
  ]
  for (const [name, source, message] of cases)
    it(`is named with its file where ${name}`, async () => {
      // Each under a name of its own: a module is imported once.
      const own = `odd-${cases.findIndex(([each]) => each === name)}.mjs`
      write(own, source)
      const models = source.includes('backends') ? { m: { backend: 'odd' } } : {}
      const starting = createKernel(
        { plugins: [{ use: `./${own}` }], models },
        { baseDirectory: path, logger: silentLogger },
      )
      const told = (await failureOf(starting)).replaceAll(own, 'odd.mjs')
      expect(told).to.contain(message).and.not.contain('a secret')
    })
})

describe('the log of a load that failed', () => {
  it('says once what plugin it was', async () => {
    const plugin = withBackend('failing', [chat], { load: () => Promise.reject(new Error('no luck')) })
    const lines: [fields: object, of: object, message: string][] = []
    const logger = (of: object): Logger => ({
      ...silentLogger,
      error: (fields, message) => void lines.push([fields, of, message]),
      child: (more) => logger({ ...of, ...more }),
    })
    const starting = createKernel({ plugins: [plugin], models: { m: { backend: 'failing' } } }, { logger: logger({}) })
    await failureOf(starting)
    const [fields, of] = lines.find(([, , message]) => message === 'the model could not be loaded') ?? []
    expect(of).to.include({ plugin: 'failing', model: 'm' })
    expect(fields).to.have.all.keys('error')
  })
})

describe('a plugin that uses a model of another plugin', () => {
  it('is not held responsible where that fails', async () => {
    @injectable()
    class Asking {
      constructor(@inject(kernelToken) private readonly kernel: Kernel) {}
      async *stream() {
        await this.kernel.get(embedding).embed({ inputs: [{ text: 'x' }] })
        yield { finish: 'stop' as const }
      }
    }
    const failing = withModel('failing', embedding, { embed: () => Promise.reject(new RangeError('broken')) })
    const asking = definePlugin({ name: 'asking', models: { outer: { capability: chat, class: Asking } } })
    const kernel = await createKernel({ plugins: [failing, asking] }, { logger: silentLogger })
    try {
      const asked = kernel.get(chat).generate({ messages: [{ role: 'user', content: 'x' }] })
      const error: unknown = await asked.catch((thrown: unknown) => thrown)
      expect(errorTrace(error)).to.include({ name: 'RangeError', plugin: 'failing', model: 'failing' })
    } finally {
      await kernel.stop()
    }
  })
})

describe('a kernel without a logger', function () {
  this.timeout(60_000)
  const start = (...args: string[]) => {
    const child = spawn(process.execPath, [fileURLToPath(new URL('./support/own-logger.js', import.meta.url)), ...args])
    return { child, done: text(child.stdout) }
  }

  it('logs warnings and errors to standard error, and what JSON cannot show', async () => {
    const { child } = start()
    const lines = (await text(child.stderr)).trimEnd().split('\n')
    const [unloadable, failed, around, broken] = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    const message = 'the model could not be loaded'
    expect(unloadable).to.include({ level: 'error', model: 'm', plugin: 'odd', message })
    expect(lines[0]).to.contain('of the library')
    expect(failed).to.include({ level: 'error', plugin: 'broken', model: 'broken', message: 'a call failed' })
    expect(lines[1]).to.contain('delta: must be a string, but is a number')
    expect(around).to.include({ level: 'warn', message: 'around' })
    expect(broken).to.include({ level: 'error', plugin: 'p', message: 'broken' })
    expect(lines[3]).to.contain('why')
  })

  it('logs no more than its configuration wants', async () => {
    const levels = async (level: string) => {
      const lines = (await text(start(level).child.stderr)).trimEnd().split('\n')
      return new Set(lines.filter(Boolean).map((line) => (JSON.parse(line) as { level: string }).level))
    }
    expect(await levels('error')).to.have.all.keys('error')
    expect(await levels('silent')).to.have.property('size', 0)
  })

  it('does not wait for a reader that takes nothing', async () => {
    const { child, done } = start()
    try {
      expect(await Promise.race([done, sleep(30_000, 'waits', { ref: false })])).to.equal('done\n')
    } finally {
      child.kill('SIGKILL')
    }
  })
})

describe('a kernel with many models', () => {
  it('starts without a warning of its listeners', async () => {
    const warnings = new AbortController()
    const warned = once(process, 'warning', { signal: warnings.signal }).then(
      ([warning]) => String(warning),
      () => 'none',
    )
    const load = async () => {
      await turn()
      return { provides: [{ capability: chat, service: { stream: () => says() } }] }
    }
    const models = Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`m${at}`, { backend: 'slow' }]))
    const kernel = await createKernel({ plugins: [withBackend('slow', [chat], { load })], models })
    await turn()
    warnings.abort()
    expect(await warned).to.equal('none')
    await kernel.stop()
  })
})
