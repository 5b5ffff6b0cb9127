import { expect } from 'chai'
import { capabilities } from '../../src/capabilities/index.js'
import type { Capability, MethodDeclaration } from '../../src/capabilities/index.js'
import { errorsOf } from './compile.js'
import { leavesOf, without } from './leaves.js'

const prelude = `
  import { capability, opaque } from '../../src/capabilities/index.js'
  import type { Call } from '../../src/capabilities/index.js'
`

/** A capability of one method, from the types of request and result, the kind and the declarations. */
const declared = (
  types: { request: string; result: string; kind?: string },
  input: string,
  output: string,
) => `${prelude}
  interface Service { ask(request: ${types.request}, call: Call): ${types.result} }
  export const asked = capability<Service>()('asked', {
    guarded: true,
    methods: { ask: { kind: '${types.kind ?? 'call'}', input: ${input}, output: ${output} } },
  })
`

const answering = (request: string, input: string) => declared({ request, result: 'Promise<number>' }, input, '{}')

/** What compiles, by what it shows. */
const sound: Record<string, string> = {
  'a declared text': answering('{ note: string }', `{ note: 'text' }`),
  'an opaque leaf with a reason': answering('{ id: string }', `{ id: opaque('an identifier') }`),
  'numbers, booleans and enumerations without a declaration': answering(
    `{ count: number; strict?: boolean; kind: 'a' | 'b'; vector: Float32Array }`,
    '{}',
  ),
  'lists, which are declared by their items': answering(
    '{ notes: { text: string }[][] }',
    `{ notes: { text: 'text' } }`,
  ),
  'a text or a structure, which is declared as a pair': answering(
    `{ content: string | { text: string }[] }`,
    `{ content: ['text', { text: 'text' }] }`,
  ),
  'a record, which is declared with an asterisk': answering(
    '{ notes: Record<string, string> }',
    `{ notes: { '*': 'text' } }`,
  ),
  'a stream’s pieces': declared(
    { request: '{}', result: 'AsyncIterable<{ delta: string }>', kind: 'stream' },
    '{}',
    `{ delta: 'delta' }`,
  ),
}

/** What does not compile, by what is forgotten. */
const forgotten: Record<string, string> = {
  'a text': answering('{ note: string }', '{}'),
  'an optional text': answering('{ note?: string }', '{}'),
  'a text that may be null': answering('{ note: string | null }', '{}'),
  'one of two texts': answering('{ note: string; title: string }', `{ note: 'text' }`),
  'a text in a list of structures': answering('{ parts: { text: string }[] }', `{ parts: {} }`),
  'a list of texts': answering('{ notes: string[] }', '{}'),
  'a text in one member of a union': answering(
    '{ part: { text: string } | { alt: string } }',
    `{ part: { text: 'text' } }`,
  ),
  bytes: answering('{ file: Uint8Array }', '{}'),
  'a value of unknown type': answering('{ schema: unknown }', '{}'),
  'an optional value of unknown type': answering('{ schema?: unknown }', '{}'),
  'the texts of a record': answering('{ notes: Record<string, string> }', '{ notes: {} }'),
  'the structure beside a text': answering('{ content: string | { text: string } }', `{ content: 'text' }`),
  'a text of the result': declared({ request: '{}', result: 'Promise<{ text: string }>' }, '{}', '{}'),
  'a text in a stream’s piece': declared(
    { request: '{}', result: 'AsyncIterable<{ n: number } | { delta: string }>', kind: 'stream' },
    '{}',
    '{}',
  ),
  'that a method streams': declared(
    { request: '{}', result: 'AsyncIterable<{ n: number }>', kind: 'call' },
    '{}',
    '{}',
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
      methods: { ask: { kind: 'call', input: {}, output: {} } },
    })
  `,
}

/** The declaration of a capability of the core, with a method changed. */
const redeclared = (key: string, methods: Readonly<Record<string, MethodDeclaration>>) => `${prelude}
  import { ${key} } from '../../src/capabilities/index.js'
  type Service = NonNullable<typeof ${key}.service>
  export const again = capability<Service>()('again', { guarded: true, methods: ${JSON.stringify(methods)} })
`

const table: Readonly<Record<string, Capability>> = capabilities

const complete = Object.fromEntries(
  Object.entries(table).map(([key, { name, methods }]) => [`${name} as it is declared`, redeclared(key, methods)]),
)

/** Every leaf of every capability, left out once. */
const leftOut = Object.fromEntries(
  Object.entries(table).flatMap(([key, { name, methods }]) =>
    Object.entries(methods).flatMap(([method, declaration]) =>
      (['input', 'output'] as const).flatMap((side) =>
        leavesOf(declaration[side]).map(({ path }): [string, string] => [
          `${name}.${method}: ${side} ${path.join('.')}`,
          redeclared(key, { ...methods, [method]: { ...declaration, [side]: without(declaration[side], path) } }),
        ]),
      ),
    ),
  ),
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

  it('refuse to forget any leaf of the core’s capabilities', () => {
    const accepted = Object.keys(leftOut).filter((name) => !mismatch.test(errors.get(name)?.join() ?? ''))
    expect(accepted).to.deep.equal([])
    expect(Object.keys(leftOut).length).to.be.above(60)
  })
})
