/** Checks that are asked by themselves, and who is asked for them. */

import { expect } from 'chai'
import {
  definePlugin,
  inject,
  injectable,
  kernel as kernelToken,
  originOf,
  provide,
  scoreCheck,
  silentLogger,
  spanCheck,
} from '@sallyport/core'
import type { ConfigInput, InspectOptions, Kernel, ModelBackend, PluginModel, Service } from '@sallyport/core'
import { failureOf, rejection } from '@sallyport/stand-ins/errors'
import { useKernels, withBackend } from './support/kernels.js'
import { detector, failing, mood, option, plugins, says, silent, stages } from './support/detectors.js'

const demanding = scoreCheck('demanding', {
  ...{ stages, order: 20, message: 'demanding', required: [['allow']], options: option('allow') },
})
const names = spanCheck('names', { stages, order: 30, message: 'a name', methods: ['mask'] })

describe('a check that is asked by itself', () => {
  const start = useKernels()
  const kernelOf = (models: Readonly<Record<string, PluginModel>>, config: ConfigInput = {}) => {
    const { plugins: others = [] } = config
    return start({ ...config, plugins: [...plugins(models), ...others] }, { logger: silentLogger })
  }

  it('ends at its deadline although the detector never answers, and leaves nothing to wait for', async () => {
    const kernel = await kernelOf({ silent: detector(mood, silent) })
    expect(await failureOf(kernel.inspect('mood', 'x', { deadline: Date.now() + 30 }))).to.match(/^deadline_exceeded/)
    await kernel.drain(new AbortController().signal)
  })

  it('ends with its caller although the detector never answers, and leaves nothing to wait for', async () => {
    const kernel = await kernelOf({ silent: detector(mood, silent) })
    const controller = new AbortController()
    const asked = rejection(kernel.inspect('mood', 'x', { signal: controller.signal }))
    const gone = new Error('gone')
    controller.abort(gone)
    expect(await asked).to.equal(gone)
    await kernel.drain(new AbortController().signal)
  })

  const detectors = [{ model: 'failing' }, { model: 'quiet' }]
  for (const [how, callerPolicy] of [
    ['the first of its models', {}],
    ['several of the configuration', { input: { mood: { detectors } }, output: { mood: { detectors } } }],
  ] as const)
    it(`says whose failure it is where it asks ${how}`, async () => {
      const models = { failing: detector(mood, failing), quiet: detector(mood, () => says()) }
      const kernel = await kernelOf(models, { callerPolicy })
      const error = await rejection(kernel.inspect('mood', 'x'))
      expect(error).to.be.instanceOf(RangeError)
      expect(originOf(error as Error)).to.deep.equal({ plugin: 'failing', model: 'failing' })
    })

  const backend = (load: ModelBackend['load']) => withBackend('moody', [mood], { load })

  it('is not ready while its detector is loading', async () => {
    let problem: Promise<string> | undefined
    let load: () => void = () => undefined
    const asked = new Promise<void>((resolve) => (load = resolve))
    @injectable()
    class Asking implements Service {
      constructor(@inject(kernelToken) kernel: Kernel) {
        problem = Promise.resolve().then(() => failureOf(kernel.inspect('mood', 'x')).finally(load))
      }
      stop() {
        return Promise.resolve()
      }
    }
    const plugin = backend(async () => {
      await asked
      return { provides: [provide(mood, { inspect: () => says() })] }
    })
    const kernel = await kernelOf(
      {},
      { plugins: [plugin, definePlugin({ name: 'asking', services: [Asking] })], models: { m: { backend: 'moody' } } },
    )
    expect(await problem).to.match(/^not_ready/)
    expect(await kernel.inspect('mood', 'x')).to.include({ score: 0, flagged: false })
  })

  it('says that nothing that is loaded can do it', async () => {
    const kernel = await kernelOf({}, { plugins: [backend(() => Promise.reject(new Error('never loaded')))] })
    expect(await failureOf(kernel.inspect('mood', 'x'))).to.match(/^capability_missing.*"mood"/)
  })

  const refused: [name: string, ask: [string, unknown, object?], problem: string][] = [
    ['an unknown check', ['moods', 'x'], 'check: there is no check "moods": did you mean "mood"?'],
    ['what is no text', ['mood', 7], 'text: must be a string, but is a number'],
    ['an unknown option', ['mood', 'x', { modell: 'm' }], 'unknown option "modell" of the call: did you mean "model"?'],
    ['a flag of detectors', ['mood', 'x', { inspecting: true }], 'unknown option "inspecting" of the call'],
    ['an unknown origin', ['mood', 'x', { origin: 'moon' }], 'origin: must be one of "user", "system"'],
    ['a method of none', ['mood', 'x', { replace: 'mask' }], 'replace: must be absent: mood replaces nothing'],
    ['an unknown method', ['names', 'x', { replace: 'hide' }], 'replace: must be one of mask'],
    ['an unknown policy', ['mood', 'x', { policy: 'strikt' }], 'policy: there is no policy "strikt": did you mean'],
    ['what a policy has not', ['names', 'x', { policy: 'strict' }], 'check: the policy "strict" has no check "names"'],
  ]
  for (const [what, [check, text, options], problem] of refused)
    it(`refuses ${what}`, async () => {
      const models = { m: detector(mood, () => says()), n: detector(names, () => says()) }
      const kernel = await kernelOf(models, { policies: { strict: { input: { mood: { threshold: 0.1 } } } } })
      const asked = kernel.inspect(check, text as string, options)
      const told = await failureOf(asked)
      expect(told.slice(0, `invalid_request: ${problem}`.length)).to.equal(`invalid_request: ${problem}`)
    })

  it('refuses a model that does not provide it', async () => {
    const kernel = await kernelOf({ m: detector(mood, () => says()), n: detector(names, () => says()) })
    expect(await failureOf(kernel.inspect('mood', 'x', { model: 'n' }))).to.match(/^model_not_found.*available: m$/)
  })

  it('is asked as callers have it, or as a policy does: with its options, detectors and threshold', async () => {
    const heard: string[] = []
    const tells = (name: string) =>
      detector(mood, ({ options = {} }) => {
        heard.push(`${name} ${JSON.stringify(options)}`)
        return says({ score: 0.4 })
      })
    const kernel = await kernelOf(
      { one: tells('one'), two: tells('two') },
      {
        callerPolicy: { output: { mood: { tone: 'callers' } }, input: { mood: { tone: 'callers' } } },
        policies: {
          first: { input: { mood: { tone: 'first', threshold: 0.1 } } },
          second: { output: { mood: { tone: 'second', threshold: 0.3, detectors: ['two'] } } },
        },
      },
    )
    const flagged = async (options?: InspectOptions) => (await kernel.inspect('mood', 'x', options)).flagged
    expect(await flagged()).to.equal(false)
    expect(await flagged({ policy: 'first' })).to.equal(true)
    expect(await flagged({ policy: 'second' })).to.equal(true)
    expect(await flagged({ policy: 'second', model: 'one', options: { tone: 'own' } })).to.equal(true)
    expect(heard).to.deep.equal([
      'one {"tone":"callers"}',
      'one {"tone":"first"}',
      'two {"tone":"second"}',
      'one {"tone":"own"}',
    ])
  })

  it('keeps the threshold that the configuration gives a detector where that one alone is asked', async () => {
    const models = { one: detector(mood, () => says()), two: detector(mood, () => says({ score: 0.7 })) }
    const detectors = ['one', { model: 'two', threshold: 0.8 }]
    const kernel = await kernelOf(models, { callerPolicy: { input: { mood: { detectors } } } })
    expect((await kernel.inspect('mood', 'x', { model: 'two' })).flagged).to.equal(false)
  })

  it('is asked as it is described where callers must give its options, whatever policies have', async () => {
    const seen: unknown[] = []
    const models = {
      one: detector(demanding, ({ options }) => {
        seen.push(options)
        return says({ score: 0.5 })
      }),
      two: detector(demanding, failing),
    }
    const policies = { first: { input: { demanding: { allow: 'a', threshold: 0.9, detectors: ['two'] } } } }
    const kernel = await kernelOf(models, { policies })
    expect(kernel.checks.get('demanding')).to.include({ threshold: 0.5 })
    expect((await kernel.inspect('demanding', 'x', { options: { allow: 'b' } })).flagged).to.equal(true)
    expect(seen).to.deep.equal([{ allow: 'b' }])
  })
})
