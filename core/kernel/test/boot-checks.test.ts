import { expect } from 'chai'
import { capability, chat, definePlugin, embedding, scoreCheck, spanCheck } from '@sallyport/core'
import type { Capability, ConfigInput, ModelBackend, Service } from '@sallyport/core'
import { failureOf } from '@sallyport/stand-ins/errors'
import { createKernel } from '../src/create-kernel.js'

class Loaded implements ModelBackend {
  load = () => Promise.resolve({ provides: [] })
}

describe('boot checks', () => {
  const named = (name: string) => definePlugin({ name })
  class Idle implements Service {
    stop() {
      return Promise.resolve()
    }
  }
  const twice = named('a')
  const loading = definePlugin({
    name: 'loading',
    backends: { loaded: { description: 'd', capabilities: [chat], class: Loaded, files: 'none' } },
  })
  class Anything {
    async *stream() {}
    inspect() {}
  }
  const bringing = (name: string, brought: Capability, id = 'own') =>
    definePlugin({ name, models: { [id]: { capability: brought, class: Anything } } })
  const lookingIn = { stages: { output: 'Looks.' }, order: 500, message: 'found' }
  const fortune = capability<object>()('fortune', { guarded: true, methods: {} })
  const cases: { name: string; config: ConfigInput; problem: RegExp }[] = [
    {
      name: 'a plugin twice',
      config: { plugins: [twice, twice] },
      problem: /^plugin_invalid: plugin a: is loaded twice: remove one of its entries$/,
    },
    {
      name: 'two plugins of one name',
      config: { plugins: [named('a'), named('a')] },
      problem: /^plugin_invalid: plugin a: has the name of another plugin, a: give one of them another$/,
    },
    {
      name: 'a model that two plugins bring',
      config: { plugins: [bringing('a', chat), bringing('b', chat)] },
      problem: /^plugin_invalid: plugin b: brings a model "own", and so does a: give one of them another name$/,
    },
    {
      name: 'a model of the configuration that a plugin brings',
      config: { plugins: [bringing('a', chat), loading], models: { own: { backend: 'loaded' } } },
      problem: /models\.own: the plugin a brings a model of this name: give this one another$/,
    },
    {
      name: 'a check with the name of a capability of the core',
      config: { plugins: [bringing('a', spanCheck('chat', lookingIn))] },
      problem: /^plugin_invalid: plugin a: its check "chat" has the name of a capability of the core: give it another$/,
    },
    {
      name: 'a check with the name of a capability of another plugin',
      config: { plugins: [bringing('a', fortune), bringing('b', scoreCheck('fortune', lookingIn), 'other')] },
      problem: /^plugin_invalid: plugin b: its check "fortune" has the name of a capability of a: give it another$/,
    },
    {
      name: 'a check that replaces by a method that there is not',
      config: { plugins: [bringing('a', spanCheck('dosage', { ...lookingIn, methods: ['hash' as 'mask'] }))] },
      problem: /its check "dosage" replaces by no method "hash": did you mean "mask"\?$/,
    },
    {
      name: 'a detector that cannot replace by a method of its check',
      config: { plugins: [bringing('a', spanCheck('dosage', { ...lookingIn, methods: ['mask', 'fake'] }))] },
      problem:
        /^plugin_invalid: plugin a: its model own has no replace\(\), which the replacement method "fake" of the check dosage needs/,
    },
    {
      name: 'a section twice',
      config: {
        plugins: [
          definePlugin({ name: 'a', section: 'server', services: [Idle] }),
          definePlugin({ name: 'b', section: 'server' }),
        ],
      },
      problem: /^plugin_invalid: plugin b: reads a section that a reads, too: load only one plugin for "server"$/,
    },
    {
      name: 'a backend twice',
      config: { plugins: [loading, { ...loading, name: 'b' }] },
      problem: /^plugin_invalid: plugin b: brings a backend "loaded", and so does loading: load only one of them$/,
    },
    {
      name: 'an unknown backend, with the nearest name',
      config: { plugins: [loading], models: { m: { backend: 'loadde' } } },
      problem: /no loaded plugin has a backend "loadde": did you mean "loaded"/,
    },
    {
      name: 'an unknown policy',
      config: { plugins: [loading], models: { m: { backend: 'loaded', policy: 'strict' } } },
      problem: /there is no policy "strict"/,
    },
    {
      name: 'a misspelt policy for all models',
      config: { plugins: [], policies: { Default: {} } },
      problem: /policies\.Default: applies to no model: did you mean "default"/,
    },
    {
      name: 'an alias that is the name of a model',
      config: { plugins: [loading], models: { m: { backend: 'loaded' }, k: { backend: 'loaded', aliases: ['m'] } } },
      problem: /"m" is the name of a model/,
    },
    {
      name: 'an unmet need, naming the plugin and the capability',
      config: { plugins: [definePlugin({ name: 'needy', requires: [embedding] })] },
      problem: /^plugin_invalid: plugin needy: needs the capability "embedding"/,
    },
  ]
  for (const { name, config, problem } of cases)
    it(`refuse ${name}`, async () => {
      expect(await failureOf(createKernel(config))).to.match(problem)
    })
})
