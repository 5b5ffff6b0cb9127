import { expect } from 'chai'
import { membersOf, withoutMember } from '@sallyport/stand-ins/shapes'
import { capabilities } from '../../src/capabilities/index.js'
import type { AnyShape, Capability, MethodDeclaration } from '../../src/capabilities/index.js'
import { errorsOf } from './compile.js'

const prelude = `
  import { bytes, capability, either, json, list, oneOf, opaque } from '../../src/capabilities/index.js'
  import type { Call } from '../../src/capabilities/index.js'
`

/** A capability of one method, from the types of request and result, the kind and the declarations. */
const declared = (
  types: { request: string; result: string; kind?: string },
  request: string,
  result: string,
) => `${prelude}
  interface Service { ask(request: ${types.request}, call: Call): ${types.result} }
  export const asked = capability<Service>()('asked', {
    guarded: true,
    methods: { ask: { kind: '${types.kind ?? 'call'}', request: ${request}, result: ${result} } },
  })
`

const answering = (request: string, shape: string) =>
  declared({ request, result: 'Promise<number>' }, shape, `'number'`)

/** What compiles, by what it shows. */
const sound: Record<string, string> = {
  'a declared text': answering('{ note: string }', `{ note: 'text' }`),
  'an opaque leaf with a reason': answering('{ id: string }', `{ id: opaque('an identifier') }`),
  'numbers, booleans, enumerations and vectors': answering(
    `{ count: number; strict?: boolean; kind: 'a' | 'b'; vector: Float32Array }`,
    `{ count: 'number', 'strict?': 'boolean', kind: oneOf('a', 'b'), vector: 'floats' }`,
  ),
  'a list of lists': answering('{ notes: { text: string }[][] }', `{ notes: list(list({ text: 'text' })) }`),
  'a text or a structure': answering(
    `{ content: string | { text: string }[] }`,
    `{ content: either('text', list({ text: 'text' })) }`,
  ),
  'a word or a structure': answering(
    `{ choice: 'none' | { names: readonly string[] } }`,
    `{ choice: either(oneOf('none'), { names: list('name') }) }`,
  ),
  'a record, which is declared with an asterisk': answering(
    '{ notes: Record<string, string>; bias?: Record<number, number> }',
    `{ notes: { '*': 'text' }, 'bias?': { '*': 'number' } }`,
  ),
  'several structures, whose keys are declared together': answering(
    '{ part: { kind: string; text: string } | { kind: string; alt: string } }',
    `{ part: { kind: opaque('a word'), 'text?': 'text', 'alt?': 'text' } }`,
  ),
  'any JSON for a value of unknown type': answering('{ schema?: unknown }', `{ 'schema?': json('schema') }`),
  'bytes, with the reason': answering('{ file: Uint8Array }', `{ file: bytes('read by nobody') }`),
  'a stream’s chunks': declared(
    { request: '{}', result: 'AsyncIterable<{ delta: string }>', kind: 'stream' },
    '{}',
    `{ delta: 'delta' }`,
  ),
}

/** What does not compile, by what is forgotten. */
const forgotten: Record<string, string> = {
  'a text': answering('{ note: string }', '{}'),
  'an optional text': answering('{ note?: string }', '{}'),
  'that a text may be absent': answering('{ note?: string }', `{ note: 'text' }`),
  'a text that may be null': answering('{ note: string | null }', '{}'),
  'one of two texts': answering('{ note: string; title: string }', `{ note: 'text' }`),
  'a number': answering('{ count: number }', '{}'),
  'a word of an enumeration': answering(`{ kind: 'a' | 'b' }`, `{ kind: oneOf('a') }`),
  'a text in a list of structures': answering('{ parts: { text: string }[] }', `{ parts: list({}) }`),
  'that there is a list': answering('{ notes: string[] }', `{ notes: 'text' }`),
  'a list of texts': answering('{ notes: string[] }', '{}'),
  'a text in one member of a union': answering(
    '{ part: { text: string } | { alt: string } }',
    `{ part: { 'text?': 'text' } }`,
  ),
  bytes: answering('{ file: Uint8Array }', '{}'),
  'a value of unknown type': answering('{ schema: unknown }', '{}'),
  'that the type of a value is unknown': answering('{ schema: unknown }', `{ schema: 'schema' }`),
  'an optional value of unknown type': answering('{ schema?: unknown }', '{}'),
  'the texts of a record': answering('{ notes: Record<string, string> }', '{ notes: {} }'),
  'the structure beside a text': answering('{ content: string | { text: string } }', `{ content: 'text' }`),
  'a text of the result': declared({ request: '{}', result: 'Promise<{ text: string }>' }, '{}', '{}'),
  'a text in a stream’s chunk': declared(
    { request: '{}', result: 'AsyncIterable<{ n: number } | { delta: string }>', kind: 'stream' },
    '{}',
    `{ 'n?': 'number' }`,
  ),
  'that a method streams': declared(
    { request: '{}', result: 'AsyncIterable<{ n: number }>', kind: 'call' },
    '{}',
    `{ n: 'number' }`,
  ),
  'an optional method': `${prelude}
    interface Service { ask?(request: { note: string }, call: Call): Promise<number> }
    export const asked = capability<Service>()('asked', { guarded: true, methods: {} })
  `,
  'the reason of an opaque leaf': answering('{ id: string }', '{ id: opaque() }'),
  'to say why it is not guarded': `${prelude}
    interface Service { ask(request: { n: number }, call: Call): Promise<number> }
    export const asked = capability<Service>()('asked', {
      guarded: false,
      methods: { ask: { kind: 'call', request: { n: 'number' }, result: 'number' } },
    })
  `,
}

type Declared = Readonly<Record<string, Omit<MethodDeclaration, 'input' | 'output'>>>

/** Without what follows from the shapes. */
const declaredOf = ({ methods }: Capability): Declared =>
  Object.fromEntries(
    Object.entries(methods).map(([name, declaration]) => [
      name,
      Object.fromEntries(Object.entries(declaration).filter(([key]) => key !== 'input' && key !== 'output')),
    ]),
  ) as Declared

/** The declaration of a capability of the core, with a method changed. */
const redeclared = (key: string, methods: Declared) => `${prelude}
  import { ${key} } from '../../src/capabilities/index.js'
  type Service = NonNullable<typeof ${key}.service>
  export const again = capability<Service>()('again', { guarded: true, methods: ${JSON.stringify(methods)} })
`

const table: Readonly<Record<string, Capability>> = capabilities

const complete = Object.fromEntries(
  Object.entries(table).map(([key, each]) => [`${each.name} as it is declared`, redeclared(key, declaredOf(each))]),
)

/** Every field of every capability, left out once. */
const leftOut = Object.fromEntries(
  Object.entries(table).flatMap(([key, each]) => {
    const methods = declaredOf(each)
    return Object.entries(methods).flatMap(([method, declaration]) =>
      (['request', 'result'] as const).flatMap((side) =>
        membersOf(declaration[side]).map((path): [string, string] => {
          const shape: AnyShape = withoutMember(declaration[side], path)
          return [
            `${each.name}.${method}: ${side} ${path.join('.')}`,
            redeclared(key, { ...methods, [method]: { ...declaration, [side]: shape } }),
          ]
        }),
      ),
    )
  }),
)

/** What the compiler says of a declaration that does not fit, as against a mistake in the snippet. */
const mismatch = /is missing in type|is not assignable to|Expected 1 arguments|does not exist in type/

describe('the types of capability declarations', () => {
  let errors: ReadonlyMap<string, readonly string[]>
  before(function () {
    this.timeout(60_000)
    errors = errorsOf({ ...sound, ...complete, ...forgotten, ...leftOut })
  })

  for (const name of Object.keys({ ...sound, ...complete }))
    it(`accept ${name}`, () => {
      expect(errors.get(name)).to.deep.equal([])
    })

  for (const name of Object.keys(forgotten))
    it(`refuse to forget ${name}`, () => {
      expect(errors.get(name)?.join()).to.match(mismatch)
    })

  it('refuse to forget any field of the core’s capabilities', () => {
    const accepted = Object.keys(leftOut).filter((name) => !mismatch.test(errors.get(name)?.join() ?? ''))
    expect(accepted).to.deep.equal([])
    expect(Object.keys(leftOut).length).to.be.above(150)
  })
})
