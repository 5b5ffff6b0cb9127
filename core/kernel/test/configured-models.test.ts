import { expect } from 'chai'
import { loadConfig } from '@sallyport/config'
import { chat, completion, definePlugin, failure, home, inject, injectable, modelSpec, provide } from '@sallyport/core'
import { tools } from '@sallyport/core'
import type { ModelBackend, ModelSpec, Service } from '@sallyport/core'
import reference from '@sallyport/testing/reference'
import { stateDirectory } from '@sallyport/kit/installation'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { failureOf, rejection } from '@sallyport/stand-ins/errors'
import { createKernel } from '../src/create-kernel.js'
import { PluginKernel } from '../src/plugin-kernel.js'
import { loadPlugins } from '../src/plugins/load.js'
import { says, useKernels, withBackend } from './support/kernels.js'

const idle = { stream: () => says({ finish: 'stop' }) }
const loaded: ModelBackend = {
  load: () => Promise.resolve({ provides: [provide(chat, idle)], descriptor: { contextLength: 7 } }),
}
const withLoaded = (estimate?: number) =>
  withBackend('loaded', [chat, completion], loaded, {
    ...(estimate ? { estimate: () => Promise.resolve({ weights: estimate, cache: 0, compute: 0 }) } : {}),
  })

describe('configured models', () => {
  const start = useKernels()

  it('have the capabilities that they turned out to have, and what the configuration says of them', async () => {
    const kernel = await start({
      plugins: [withLoaded()],
      models: { m: { backend: 'loaded', aliases: ['alias'], description: 'mine' } },
    })
    const [model] = kernel.models()
    expect(model).to.deep.include({
      id: 'm',
      aliases: ['alias'],
      capabilities: ['chat'],
      contextLength: 7,
      description: 'mine',
    })
    expect(() => kernel.get(chat, 'alias')).not.to.throw()
    expect(kernel.modelState('m')).to.equal('ready')
  })

  it('have the description of the catalogue where the configuration has none', async () => {
    const fromFiles = withBackend('from-files', [chat], loaded, { files: 'weights' })
    const files = { resolve: () => Promise.resolve({ files: {}, catalogueEntry: { description: 'of the catalogue' } }) }
    const models = { one: { backend: 'from-files' }, two: { backend: 'from-files', description: 'mine' } }
    const kernel = await start({ plugins: [fromFiles], models }, { fileSource: files })
    expect(kernel.models().map(({ description }) => description)).to.deep.equal(['of the catalogue', 'mine'])
  })

  it('are refused where they provide nothing', async () => {
    const empty = withBackend('empty', [chat], { load: () => Promise.resolve({ provides: [] }) })
    expect(await failureOf(start({ plugins: [empty], models: { m: { backend: 'empty' } } }))).to.match(
      /^plugin_invalid: plugin empty: its backend empty provides nothing for the model m/,
    )
  })

  it('are refused where a service lacks a method: calls would fail', async () => {
    const load = () => Promise.resolve({ provides: [provide(tools, { list: () => undefined } as never)] })
    const unfinished = withBackend('unfinished', [tools], { load })
    expect(await failureOf(start({ plugins: [unfinished], models: { m: { backend: 'unfinished' } } }))).to.equal(
      'plugin_invalid: plugin unfinished: its service for tools has no method call()',
    )
  })

  it('find where the project keeps its state', async () => {
    let found: string | undefined
    @injectable()
    class Keeper implements ModelBackend {
      readonly load = loaded.load.bind(loaded)
      constructor(@inject(home) directory: string) {
        found = directory
      }
    }
    const keeper = definePlugin({
      name: 'keeper',
      backends: { keeper: { description: 'd', capabilities: [chat], class: Keeper, files: 'none' } },
    })
    await start({ plugins: [keeper], models: { m: { backend: 'keeper' } } })
    expect(found).to.equal(stateDirectory())
  })

  it('come before those that plugins bring: the first of a capability is its default', async () => {
    const kernel = await start({ plugins: [reference, withLoaded()], models: { m: { backend: 'loaded' } } })
    expect(kernel.models(chat).map(({ id }) => id)).to.deep.equal(['m', 'reference-chat'])
  })

  it('are refused when they do not fit into memory', async () => {
    const config = { plugins: [withLoaded(2 ** 50)], models: { big: { backend: 'loaded' } } }
    expect(await failureOf(start(config))).to.match(/^insufficient_memory: the models need 1125.9 TB \(big 1125.9 TB\)/)
  })
})

describe('what is wrong with a configured model or the options of a plugin', () => {
  const directory = useTemporaryDirectory()
  @injectable()
  class Refused implements ModelBackend {
    constructor(@inject(modelSpec) private readonly spec: ModelSpec<{ words?: string[] }>) {}
    load(): Promise<never> {
      const option = this.spec.options.words && ['words', 1]
      const details = { model: this.spec.id, problem: 'is odd', ...(option && { option }) }
      return Promise.reject(failure('model_invalid', details))
    }
  }
  @injectable()
  class Refusing implements Service {
    constructor() {
      throw failure('config_invalid', { where: 'of', problem: 'is odd', option: ['paths', '/x'] })
    }
    stop = () => Promise.resolve()
  }
  const description = 'd'
  const any = { type: 'object', additionalProperties: true } as const
  const plugin = definePlugin({
    name: 'odd',
    backends: {
      odd: { description, capabilities: [chat], class: Refused, files: 'none', options: any },
    },
  })
  const service = { options: any, services: [Refusing] } as const

  for (const [what, text, plugins, expected] of [
    [
      'an option of a model',
      'models: {m: {backend: odd, options: {words: [a, b]}}}',
      [plugin],
      '1:49: model m: is odd',
    ],
    ['a model', 'models: {m: {backend: odd}}', [plugin], '1:10: model m: is odd'],
    [
      'an option of a plugin',
      'of: {paths: {/x: y}}',
      [definePlugin({ name: 'odd', section: 'of', ...service })],
      '1:18: of.paths["/x"]: is odd',
    ],
  ] as const)
    it(`is said with its place: ${what}`, async () => {
      const config = await loadConfig(directory.write('config.yaml', text))
      const started = { ...config, plugins: plugins.map((use) => ({ use })) }
      const loaded = await loadPlugins(started)
      const failed = async () => {
        const kernel = new PluginKernel(loaded.config, loaded.plugins, {})
        await kernel.start()
      }
      expect(await directory.failureOf(failed))
        .to.match(/^\w+_invalid /)
        .and.to.include(` config.yaml:${expected}`)
    })

  it('is said without one where the configuration came from a program', async () => {
    const models = { m: { backend: 'odd', options: { words: ['a', 'b'] } } }
    expect(await failureOf(createKernel({ plugins: [plugin], models }))).to.equal('model_invalid: model m: is odd')
  })
})

describe('a start that fails', () => {
  it('stops what had been started, and says why', async () => {
    const events: string[] = []
    class Watcher implements Service {
      start() {
        events.push('start')
        return Promise.resolve()
      }
      stop() {
        events.push('stop')
        return Promise.resolve()
      }
    }
    const unloadable = withBackend('unloadable', [chat], { load: () => Promise.reject(new Error('internal detail')) })
    const plugins = [unloadable, definePlugin({ name: 'watcher', services: [Watcher] })]
    const problem = await rejection(createKernel({ plugins, models: { m: { backend: 'unloadable' } } }))
    expect((problem as Error).message).to.match(/^the model m is unavailable: it could not be loaded/)
    expect(events).to.deep.equal(['start', 'stop'])
  })

  it('is given up by its signal', async () => {
    const controller = new AbortController()
    const files = {
      resolve: (_: string, { signal }: { signal: AbortSignal }) =>
        new Promise<never>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error))
          controller.abort()
        }),
    }
    const hanging = withBackend('hanging', [chat], loaded, { files: 'weights' })
    const starting = createKernel(
      { plugins: [hanging], models: { m: { backend: 'hanging' } } },
      { fileSource: files, signal: controller.signal },
    )
    expect(await failureOf(starting)).to.match(/^not_ready/)
  })
})
