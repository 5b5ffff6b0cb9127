import { expect } from 'chai'
import { createKernel } from '@sallyport/kernel'
import { inject, injectable } from '@sallyport/core'
import reference from '@sallyport/testing/reference'
import { failureOf } from '@sallyport/stand-ins/errors'
import { chat, definePlugin, kernel as kernelToken, modelSpec, otherModel, provide } from '../../src/index.js'
import type { Kernel, ModelBackend, ModelSpec } from '../../src/index.js'

@injectable()
class Relay implements ModelBackend {
  constructor(
    @inject(modelSpec) private readonly spec: ModelSpec<{ readonly to: string }>,
    @inject(kernelToken) private readonly models: Kernel,
  ) {}

  async load() {
    const other = otherModel(this.models, this.spec, 'to', chat)
    return Promise.resolve({ provides: [provide(chat, { stream: (request, call) => other().stream(request, call) })] })
  }
}

const relay = definePlugin({
  name: 'relay',
  backends: {
    relay: {
      description: 'passes on',
      options: { type: 'object', required: ['to'], properties: { to: { type: 'string' } } },
      capabilities: [chat],
      class: Relay,
      files: 'none',
    },
  },
})

const relayTo = (to: string, plugins = [reference, relay]) =>
  createKernel({ plugins, models: { m: { backend: 'relay', aliases: ['alias'], options: { to } } } })

describe('a model that is composed of another one', () => {
  it('reaches it through the kernel', async () => {
    const kernel = await relayTo('reference-chat')
    const messages = [{ role: 'user' as const, content: 'one two three' }]
    const { choices } = await kernel.get(chat, 'm').generate({ messages })
    expect(choices[0]?.text).to.equal('one two three')
    await kernel.stop()
  })

  it('reaches it by its alias, also where it is loaded later', async () => {
    const to = (name: string, ...aliases: string[]) => ({ backend: 'relay', aliases, options: { to: name } })
    const models = { first: to('later'), second: to('reference-chat', 'later') }
    const kernel = await createKernel({ plugins: [reference, relay], models })
    const { choices } = await kernel.get(chat, 'first').generate({ messages: [{ role: 'user', content: 'one' }] })
    expect(choices[0]?.text).to.equal('one')
    await kernel.stop()
  })

  for (const [what, ...ids] of [
    ['of two', 'a', 'b'],
    ['of three', 'a', 'b', 'c'],
  ] as const)
    it(`is refused in a circle ${what}, by aliases, too`, async () => {
      const models = Object.fromEntries(
        ids.map((id, index) => {
          const to = `alias-of-${ids[(index + 1) % ids.length]!}`
          return [id, { backend: 'relay', aliases: [`alias-of-${id}`], options: { to } }]
        }),
      )
      expect(await failureOf(createKernel({ plugins: [reference, relay], models }))).to.include(
        `its option to names "alias-of-a", which is composed of this model: ${[ids.at(-1), ...ids].join(' → ')}`,
      )
    })

  it('is no circle where two are composed of the same one', async () => {
    const to = (name: string) => ({ backend: 'relay', options: { to: name } })
    const models = { first: to('third'), second: to('third'), third: to('reference-chat') }
    await (await createKernel({ plugins: [reference, relay], models })).stop()
    await (
      await createKernel({ plugins: [reference, relay], models: { third: to('first'), first: to('reference-chat') } })
    ).stop()
  })

  for (const [what, to, plugins] of [
    ['a model that there is not', 'nobody'],
    ['itself', 'm'],
    ['itself by its alias', 'alias'],
    ['a model without the capability', 'reference-embedding'],
    ['a model where there is no other', 'nobody', [relay]],
  ] as const)
    it(`is refused with ${what}`, async () => {
      const available = plugins ? 'none' : 'reference-chat'
      expect(await failureOf(relayTo(to, plugins && [...plugins]))).to.include(
        `its option to names "${to}", which is no other model with chat (there are: ${available})`,
      )
    })
})
