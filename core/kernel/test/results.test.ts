import { setImmediate as turn } from 'node:timers/promises'
import * as checks from '@sallyport/checks'
import { expect } from 'chai'
import { capabilities, definePlugin, isSallyportError } from '@sallyport/core'
import type { AnyShape, Capability, Kernel, PluginModel } from '@sallyport/core'
import reference from '@sallyport/testing/reference'
import { sampleOf } from '@sallyport/stand-ins/samples'
import { leavesOfShape } from '@sallyport/stand-ins/shapes'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { createKernel } from '../src/create-kernel.js'

const secret = 'zebulon.quark'

/** What a backend of this test answers next; of streams, the chunks. */
const answers: { next: () => unknown; atEnd: () => void } = { next: () => undefined, atEnd: () => undefined }

const serviceOf = ({ methods }: Capability) =>
  class {
    constructor() {
      for (const [name, { kind }] of Object.entries(methods))
        Object.assign(this, { [name]: () => (kind === 'stream' ? this.chunks() : Promise.resolve(answers.next())) })
    }
    async *chunks() {
      try {
        for (const chunk of answers.next() as unknown[]) yield await Promise.resolve(chunk)
      } finally {
        answers.atEnd()
      }
    }
  }

const everything: readonly Capability[] = [...Object.values(capabilities), ...Object.values(checks)]
const models = Object.fromEntries(
  everything.map((capability): [string, PluginModel] => [
    capability.name,
    { capability, class: serviceOf(capability) },
  ]),
)

/** All that a caller gets to see, but for the error. */
interface Seen {
  readonly values: unknown[]
  readonly error: unknown
}

type Methods = Readonly<Record<string, (request: unknown, options?: object) => unknown>>

const seenBy = async (run: () => unknown): Promise<Seen> => {
  const values: unknown[] = []
  try {
    const result = run()
    if (Symbol.asyncIterator in Object(result))
      for await (const chunk of result as AsyncIterable<unknown>) values.push(chunk)
    else values.push(await result)
    return { values, error: undefined }
  } catch (error) {
    return { values, error }
  }
}

/** Every way to ask: streamed and not, one answer and several, with a check and without. */
const ways = (served: Methods, method: string, request: object): (() => unknown)[] => {
  const guarded = { safeguards: { output: { pii: 'replace' } } }
  const requests = 'generate' in served ? [request, { ...request, n: 2 }] : [request]
  const methods = 'generate' in served ? [method, 'generate'] : [method]
  return methods.flatMap((name) =>
    requests.flatMap((asked) => [() => served[name]!(asked), () => served[name]!(asked, guarded)]),
  )
}

const sneaky = () => {
  let reads = 0
  return () => (reads++ ? secret : 'x')
}

class Dressed {
  toString() {
    return secret
  }
}

/** What is put in the place of a leaf. */
const wrong: Readonly<Record<string, () => unknown>> = {
  'a boxed string': () => new String(secret),
  'a number': () => 4111,
  'an object': () => ({ text: secret }),
  'a list': () => [secret],
  'an object with toString': () => ({ toString: () => secret }),
  'an instance': () => new Dressed(),
  'a function': () => () => secret,
  'a text': () => secret,
  null: () => null,
}

const ofJson = ['a number', 'an object', 'a list', 'a text', 'null']

const fits = (leaf: AnyShape, name: string): boolean => {
  if (typeof leaf === 'object' && '$json' in leaf) return ofJson.includes(name)
  if (typeof leaf === 'object' && ('$oneOf' in leaf || '$bytes' in leaf)) return false
  if (leaf === 'number') return name === 'a number'
  return name === 'a text' && leaf !== 'boolean' && leaf !== 'floats'
}

/** A copy that says something else when it is read again. */
const deceitful = (value: object): object =>
  new Proxy(value, {
    get: (() => {
      const read = new Set<string | symbol>()
      return (target: object, key: string | symbol): unknown => {
        const known: unknown = Reflect.get(target, key)
        if (typeof known !== 'string') return known
        const again = read.has(key)
        read.add(key)
        return again ? secret : known
      }
    })(),
  })

const withChunks = (kind: string, value: unknown) => (kind === 'stream' ? [value, { finish: 'stop' }] : value)

const odd = definePlugin({ name: 'odd', models })

describe('what services answer', () => {
  let kernel: Kernel
  before(async () => {
    kernel = await createKernel({ plugins: [reference, odd], log: { level: 'silent' } })
  })
  after(() => kernel.stop())

  for (const capability of everything)
    for (const [method, { kind, request: asked, result }] of Object.entries(capability.methods)) {
      const all = async (answer: () => unknown) => {
        const results: Seen[] = []
        answers.next = answer
        for (const run of ways(kernel.get(capability, capability.name) as Methods, method, sampleOf(asked) as object))
          results.push(await seenBy(run))
        return results
      }
      for (const { path, leaf } of leavesOfShape(result)) {
        const place = `${capability.name}.${method} at ${path.join('.') || 'all'}`
        const name =
          path
            .findLast((step) => !/^(?:\$list|\d)$/.test(step))
            ?.replace('?', '')
            .replace('*', 'key') ?? ''

        // beside the text, a list of texts is declared
        const isOrList = path.at(-1) === '0'

        it(`is refused where it is something else: ${place}`, async () => {
          for (const [what, make] of Object.entries(wrong)) {
            if (fits(leaf, what) || (isOrList && what === 'a list')) continue
            const member = (holder: object, key: string) => void Object.assign(holder, { [key]: make() })
            for (const { values, error } of await all(() => withChunks(kind, sampleOf(result, path, member)))) {
              expect(isSallyportError(error) && error.code, what).to.equal('invalid_backend_result')
              expect(JSON.stringify(values), what).not.to.contain(secret)
              const { cause, message } = error as Error & { cause: Error }
              expect(message).to.match(/^the model's backend gave an invalid result; .* under request [\w-]+$/)
              expect(cause.message)
                .to.match(/^plugin odd: /)
                .and.contain(`the model ${capability.name} `)
              expect(cause.message).to.contain(name).and.not.contain(secret)
            }
          }
        })

        it(`is what it was when it was looked at: ${place}`, async () => {
          const accessor = (holder: object, key: string) =>
            void Object.defineProperty(holder, key, { get: sneaky(), enumerable: true })
          for (const answer of [
            () => withChunks(kind, sampleOf(result, path, accessor)),
            () => withChunks(kind, deceitful(Object(sampleOf(result, path)) as object)),
          ])
            for (const { values } of await all(answer)) expect(JSON.stringify(values)).not.to.contain(secret)
        })
      }
    }
})

describe('a stream whose chunk is refused', () => {
  let kernel: Kernel
  let ended = 0
  const unheard: unknown[] = []
  const hear = (reason: unknown) => void unheard.push(reason)
  before(async () => {
    process.on('unhandledRejection', hear)
    answers.next = () => ['none', 'none']
    answers.atEnd = () => {
      ended += 1
      throw new Error('cannot end')
    }
    kernel = await createKernel({ plugins: [reference, odd], log: { level: 'silent' } })
  })
  after(async () => {
    process.off('unhandledRejection', hear)
    answers.atEnd = () => undefined
    await kernel.stop()
  })

  for (const capability of everything)
    for (const [method, { kind, request }] of Object.entries(capability.methods))
      if (kind === 'stream')
        it(`is told to end, and may fail to: ${capability.name}.${method}`, async () => {
          const served = kernel.get(capability, capability.name) as Methods
          for (const run of ways(served, method, sampleOf(request) as object)) {
            ended = 0
            const { error } = await seenBy(run)
            await turn()
            expect(isSallyportError(error) && error.code).to.equal('invalid_backend_result')
            expect(ended).to.be.above(0)
            expect(unheard).to.deep.equal([])
          }
        })
})

describe('what models in processes of their own answer', () => {
  const { write, path } = useTemporaryDirectory()

  it('is held to the declaration, too', async () => {
    write(
      'boxed.ts',
      `import { chat, definePlugin, injectable, provide } from '@sallyport/core'
       @injectable() class Boxed {
         async load() { return { provides: [provide(chat, this as never)] } }
         async *stream() { yield { delta: new String('${secret}') }; yield { finish: 'stop' } }
       }
       export default definePlugin({ name: 'boxed', backends: {
         boxed: { description: 'boxes', capabilities: [chat], class: Boxed as never, files: 'none', isolation: {} } } })`,
    )
    const kernel = await createKernel(
      { plugins: [{ use: './boxed.ts' }], models: { m: { backend: 'boxed' } }, log: { level: 'silent' } },
      { baseDirectory: path },
    )
    try {
      const served = kernel.get(capabilities.chat)
      const request = { messages: [{ role: 'user' as const, content: 'x' }] }
      for (const run of [() => served.stream(request), () => served.generate(request)]) {
        const { values, error } = await seenBy(run)
        expect(isSallyportError(error) && error.code).to.equal('invalid_backend_result')
        expect(values).to.deep.equal([])
        expect((error as { cause: Error }).cause.message)
          .to.contain('plugin boxed: ')
          .and.contain('delta: must be a string')
      }
    } finally {
      await kernel.stop()
    }
  }).timeout(20_000)
})
