import { writeFileSync } from 'node:fs'
import { expect } from 'chai'
import { capability, failure, opaque, tokens } from '@sallyport/core'
import type { TokensCapability } from '@sallyport/core'
import { root, runNode } from '@sallyport/stand-ins/command-line'
import { sampleFile } from '../../src/conformance/samples.js'
import { conformanceCases, runConformance } from '../../src/index.js'
import type { ConformanceSetup } from '../../src/index.js'
import { references } from '../reference/references.js'

type Body = () => Promise<void> | void

/** What a test framework was told. */
interface Registered {
  suites: string[]
  tests: Map<string, Body>
  skipped: string[]
  before: Body[]
  after: Body[]
}

/** Registers with a framework that only writes down what it is told, with the names that jest and vitest use. */
const register = (setup: ConformanceSetup<TokensCapability>): Registered => {
  const registered: Registered = { suites: [], tests: new Map(), skipped: [], before: [], after: [] }
  const it = (name: string, body: Body) => void registered.tests.set(name, body)
  const framework = {
    describe: (name: string, body: () => void) => {
      registered.suites.push(name)
      body()
    },
    it: Object.assign(it, { skip: (name: string) => void registered.skipped.push(name) }),
    before: undefined,
    after: undefined,
    beforeAll: (body: Body) => void registered.before.push(body),
    afterAll: (body: Body) => void registered.after.push(body),
  }
  const scope = globalThis as Record<string, unknown>
  const mocha = Object.fromEntries(Object.keys(framework).map((name) => [name, scope[name]]))
  Object.assign(scope, framework)
  try {
    runConformance(tokens, setup)
  } finally {
    Object.assign(scope, mocha)
  }
  return registered
}

const create = () => Promise.resolve(references.tokens.create())

describe('runConformance', () => {
  it('registers every case of the capability', () => {
    const { suites, tests } = register({ create })
    expect(suites).to.deep.equal(['conformance: tokens'])
    expect([...tests.keys()]).to.deep.equal(conformanceCases(tokens).map(({ name }) => name))
  })

  it('makes the service once, runs the cases on it, and disposes of it', async () => {
    const log: string[] = []
    const service = references.tokens.create()
    const { before, after, tests } = register({
      create: () => {
        log.push('create')
        return Promise.resolve({ service, dispose: () => Promise.resolve(void log.push('dispose')) })
      },
    })
    for (const body of before) await body()
    await tests.get('round trip: one space')?.()
    await tests.get('round trip: placeholders')?.()
    for (const body of after) await body()
    expect(log).to.deep.equal(['create', 'dispose'])
  })

  it('fails a case with what the log would say', async () => {
    const cause = new Error('tokenize gave no tokens')
    const tokenize = () => Promise.reject(failure('invalid_backend_result', { requestId: 'r' }, { cause }))
    const { before, tests } = register({ create: () => Promise.resolve({ ...references.tokens.create(), tokenize }) })
    for (const body of before) await body()
    let thrown: unknown
    await Promise.resolve(tests.get('round trip: one space')?.()).catch((error: unknown) => (thrown = error))
    expect(thrown).to.equal(cause)
  })

  it('fails a case on a faulty service', async () => {
    const faulty: TokensCapability = {
      tokenize: () => Promise.resolve({ tokens: [] }),
      detokenize: () => Promise.resolve({ text: '' }),
    }
    const { before, tests } = register({ create: () => Promise.resolve(faulty) })
    for (const body of before) await body()
    let failure: unknown
    await Promise.resolve(tests.get('round trip: one space')?.()).catch((error: unknown) => (failure = error))
    expect(failure).to.be.an('error')
  })

  it('shows the reason of what is skipped', () => {
    const { skipped, tests } = register({
      create,
      skip: { 'round trip: NUL and control characters': 'the vocabulary has none' },
    })
    expect(skipped).to.deep.equal(['round trip: NUL and control characters (skipped: the vocabulary has none)'])
    expect(tests.size).to.equal(conformanceCases(tokens).length - 1)
  })

  it('refuses to skip a case that there is not', () => {
    expect(() => register({ create, skip: { 'round trip': 'misspelt' } })).to.throw(
      'there is no case "round trip" to skip',
    )
  })

  it('ends a case whose service hangs after the timeout, and names it', async () => {
    const [core, suites] = ['@sallyport/core', '@sallyport/testing'].map((name) => import.meta.resolve(name))
    const file = `${sampleFile('')}.mjs`
    writeFileSync(
      file,
      `import { tokens } from '${core}'
       import { runConformance } from '${suites}'
       const hang = () => new Promise(() => {})
       runConformance(tokens, { timeout: 50, create: async () => ({ tokenize: hang, detokenize: hang }) })`,
    )
    const name = 'round trip: placeholders'
    const { code, output } = await runNode([`${root}node_modules/mocha/bin/mocha.js`, '--grep', name, file], root)
    expect(code, output).to.equal(1)
    expect(output).to.match(/1\) conformance: tokens\s+round trip: placeholders:\s+Error: Timeout of 50ms exceeded/)
  }).timeout(20_000)

  it('is enough for a test that imports nothing else', async () => {
    const suites = JSON.stringify(new URL('../../src/index.js', import.meta.url).href)
    const { code, output } = await runNode(['--input-type=module', '--eval', `await import(${suites})`], root)
    expect(code, output).to.equal(0)
  })

  it('knows only the capabilities of the core', () => {
    interface Fortune {
      tell(request: { name: string }): Promise<number>
    }
    const fortune = capability<Fortune>()('fortune', {
      guarded: true,
      methods: { tell: { kind: 'call', request: { name: opaque('compared only') }, result: 'number' } },
    })
    expect(() => conformanceCases(fortune)).to.throw(/no conformance suite for .* "fortune": .* kernel\.get\(\)/)
  })
})
