import { once } from 'node:events'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { chat, createKernel, definePlugin, silentLogger } from '../../src/index.js'
import type { LoadedModel } from '../../src/index.js'
import { standardErrorLogger } from '../../src/kernel/logger.js'
import { useTemporaryDirectory } from '../config/temporary.js'
import { failureOf } from './support/failure-of.js'

const service = { stream: async function* () {} }

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
    'load() of its backend gave no model for m: it must return { provides: [provide(capability, service), …] }'

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
      'load() throws',
      backendOf(`async load() { throw new Error('a secret') }`),
      `model m is unavailable: it could not be loaded by the plugin odd (${file}); the log has the details`,
    ],
    [
      'a constructor throws',
      backendOf(`constructor() { throw new Error('no luck') } async load() {}`),
      `plugin odd (${file}): its class Odd cannot be constructed`,
    ],
    [
      'a method is missing',
      backendOf('async load() { return { provides: [provide(chat, {})] } }'),
      `plugin odd (${file}): what it provides for chat has no method stream()`,
    ],
    [
      'the default export is no plugin',
      'export default class Odd {}',
      'odd.mjs: has no default export made by definePlugin',
    ],
    [
      'a model of its own cannot be constructed',
      `import { chat, definePlugin } from '@sallyport/core'
      class Own { constructor() { throw new Error('no luck') } }
      export default definePlugin({ name: 'odd', models: { own: { capability: chat, class: Own } } })`,
      `plugin odd (${file}): its class Own cannot be constructed`,
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

describe('a kernel without a logger', () => {
  const write = process.stderr.write.bind(process.stderr)
  afterEach(() => {
    process.stderr.write = write
  })
  const written = () => {
    const lines: string[] = []
    process.stderr.write = (line: string) => lines.push(line) > 0
    return lines
  }

  it('logs warnings and errors to standard error', async () => {
    const lines = written()
    class Unloadable {
      load = () => Promise.reject(new Error('of the library'))
    }
    const odd = { description: 'odd', capabilities: [chat], class: Unloadable, files: 'none' as const }
    const plugin = definePlugin({ name: 'odd', backends: { odd } })
    await createKernel({ plugins: [plugin], models: { m: { backend: 'odd' } } }).catch(() => undefined)
    const logged = lines.map((line) => JSON.parse(line) as object)
    expect(logged).to.have.length(1)
    expect(logged[0]).to.include({
      level: 'error',
      model: 'm',
      plugin: 'odd',
      message: 'the model could not be loaded',
    })
    expect(lines[0]).to.contain('of the library')
  })

  it('logs what JSON cannot show, and nothing that is less than a warning', () => {
    const lines = written()
    const circle: { self?: object } = {}
    circle.self = circle
    const logger = standardErrorLogger().child({ plugin: 'p' })
    logger.debug({}, 'debug')
    logger.info({}, 'info')
    logger.warn({ circle }, 'around')
    logger.error({ err: new Error('why') }, 'broken')
    expect(lines.map((line) => (JSON.parse(line) as { message: string }).message)).to.deep.equal(['around', 'broken'])
    expect(lines[1]).to.contain('why')
  })
})

describe('a kernel with many models', () => {
  it('starts without a warning of its listeners', async () => {
    const warnings = new AbortController()
    const warned = once(process, 'warning', { signal: warnings.signal }).then(
      ([warning]) => String(warning),
      () => 'none',
    )
    class Slow {
      load = async (): Promise<LoadedModel> => {
        await turn()
        return { provides: [{ capability: chat, service }] }
      }
    }
    const slow = { description: 'slow', capabilities: [chat], class: Slow, files: 'none' as const }
    const models = Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`m${at}`, { backend: 'slow' }]))
    const kernel = await createKernel({ plugins: [definePlugin({ name: 'slow', backends: { slow } })], models })
    await turn()
    warnings.abort()
    expect(await warned).to.equal('none')
    await kernel.stop()
  })
})
