import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import { parse } from 'yaml'
import { composeSchema, loadConfig } from '@sallyport/config'
import { loadPlugins } from '@sallyport/kernel'
import { definePlugin, silentLogger } from '@sallyport/core'
import reference from '@sallyport/testing/reference'
import type { ModelBackend } from '@sallyport/core'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { schemaCommand } from '../src/schema.js'

class Backend implements ModelBackend {
  load = () => Promise.resolve({ provides: [] })
}

const server = definePlugin({
  name: 'kiosk-server',
  section: 'kiosk',
  options: { type: 'object', properties: { port: { type: 'integer', default: 80, description: 'where it listens' } } },
})

const maker = definePlugin({
  name: 'maker',
  options: { type: 'object', properties: { size: { type: 'integer' } }, required: ['size'] },
  backends: {
    making: {
      description: 'makes models',
      capabilities: [],
      class: Backend,
      options: { type: 'object', properties: { url: { type: 'string', pattern: '^http' } }, required: ['url'] },
    },
  },
})

const compile = (schema: object) =>
  new Ajv2020({
    ...{ allErrors: true, strict: true, strictTypes: false, strictRequired: false },
    formats: { regex: true },
  }).compile(schema)

describe('the published schema', () => {
  const schema = composeSchema([
    { use: '@sallyport/testing/reference', definition: reference },
    { use: 'kiosk-server', definition: server },
    { use: './maker.ts', definition: maker },
  ])
  const validate = compile(schema)

  const accepted: Readonly<Record<string, string>> = {
    'what a plugin adds': 'plugins: [kiosk-server, {use: ./maker.ts, options: {size: 1}}]\nkiosk: {port: 1}',
    'the options of a backend': 'models: {a: {backend: making, options: {url: "http://x"}}}',
    'plugins and backends that it does not know':
      'plugins: [x, {use: y, options: {z: 1}}]\nmodels: {a: {backend: b, options: {c: 1}}}',
    'references to the environment':
      'kiosk:\n  port: ${PORT:-1}\nmodels: {a: {backend: making, options: {url: "${URL}"}}}',
    'checks in short form': 'policies: {p: {input: {pii: true, injection: false}, output: {pii: {action: replace}}}}',
    'references for checks': 'policies:\n  p:\n    input:\n      pii: ${PII:-true}',
    'its own address': '$schema: ./schema.json',
  }
  for (const [title, text] of Object.entries(accepted))
    it(`accepts ${title}`, () => {
      expect(validate(parse(text)), JSON.stringify(validate.errors)).to.equal(true)
    })

  const refused: Readonly<Record<string, string>> = {
    'an unknown section': 'kiosc: {}',
    'an unknown key of a section': 'kiosk: {prot: 1}',
    'a wrong type in a section': 'kiosk: {port: high}',
    'unknown options of a plugin': 'plugins: [{use: ./maker.ts, options: {size: 1, colour: red}}]',
    'missing options of a plugin': 'plugins: [{use: ./maker.ts}]',
    'options of a plugin that has a section': 'plugins: [{use: kiosk-server, options: {port: 1}}]',
    'wrong options of a backend': 'models: {a: {backend: making, options: {url: ftp}}}',
    'missing options of a backend': 'models: {a: {backend: making}}',
    'an unknown check': 'policies: {p: {input: {pi: true}}}',
    'a check for callers that is switched off': 'callerPolicy: {input: {pii: false}}',
    'a model id that climbs directories': 'models: {"../x": {backend: a}}',
  }
  for (const [title, text] of Object.entries(refused))
    it(`refuses ${title}`, () => {
      expect(validate(parse(text))).to.equal(false)
    })

  it('describes every key that it names', () => {
    expect(withoutDescription(schema, '', schema.$defs as object)).to.deep.equal([
      '/properties/plugins/items/anyOf/1/allOf/0/then/properties/options/properties/size',
      '/properties/models/additionalProperties/allOf/0/then/properties/options/properties/url',
    ])
  })

  it('says once what it says of several places', () => {
    const { $defs, ...rest } = schema as { readonly $defs: Readonly<Record<string, object>> }
    const [text, ...definitions] = [rest, ...Object.values($defs)].map((part) => JSON.stringify(part))
    const places = (name: string) => [text, ...definitions].join('').split(`"#/$defs/${name}"`).length - 1
    expect($defs).to.include.keys('budget', 'detectors', 'window')
    expect(Object.keys($defs).filter((name) => places(name) < 2)).to.deep.equal([])
    expect(definitions.filter((definition) => text?.includes(definition))).to.deep.equal([])
  })

  it('does not depend on the order of plugins', () => {
    const plugins = [
      { use: './maker.ts', definition: maker },
      { use: '@sallyport/testing/reference', definition: reference },
      { use: 'kiosk-server', definition: server },
    ]
    expect(JSON.stringify(composeSchema(plugins))).to.equal(JSON.stringify(schema))
  })

  it('is printed for the plugins of a configuration', async () => {
    directory.write('tiny.mjs', "export default { name: 'tiny', section: 'tiny', options: { type: 'object' } }")
    const printed: string[] = []
    const options = { config: directory.write('tiny.yaml', 'plugins: [./tiny.mjs]') }
    const context = { options: {}, home: '', logger: silentLogger, print: (line: string) => void printed.push(line) }
    await schemaCommand.run?.({ arguments: [], options }, context)
    expect(compile(JSON.parse(printed.join('\n')) as object)({ plugins: ['./tiny.mjs'], tiny: {} })).to.equal(true)
  })
  const directory = useTemporaryDirectory()
})

/** Named properties without a word on what they are, there or in their definition; conditions aside. */
const withoutDescription = (schema: unknown, path: string, definitions: object): string[] => {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]: [string, unknown]) => {
    const here = `${path}/${key}`
    if (key === 'if') return []
    const isProperty = path.endsWith('/properties') && typeof value === 'object' && value !== null
    const missing = isProperty && !('description' in defined(value, definitions)) ? [here] : []
    return [...missing, ...withoutDescription(value, here, definitions)]
  })
}

const defined = (schema: object, definitions: object): object => {
  const name = '$ref' in schema ? String(schema.$ref).replace('#/$defs/', '') : ''
  return { ...(Object.entries(definitions) as [string, object][]).find(([key]) => key === name)?.[1], ...schema }
}

describe('the configurations of this repository', () => {
  const repository = fileURLToPath(new URL('../../../../', import.meta.url))
  const committed = () => readFileSync(join(repository, 'config/schema.json'), 'utf8')
  let validate: ReturnType<typeof compile>
  before(() => {
    validate = compile(JSON.parse(committed()) as object)
  })

  it('have a schema that is up to date', async () => {
    const printed: string[] = []
    const context = { options: {}, home: '', logger: silentLogger, print: (line: string) => void printed.push(line) }
    const before = process.cwd()
    try {
      process.chdir(repository)
      await schemaCommand.run?.({ arguments: [], options: {} }, context)
    } finally {
      process.chdir(before)
    }
    const upToDate = `${printed.join('\n')}\n` === committed()
    expect(upToDate, 'config/schema.json is not what the plugins say: run npm run schema').to.equal(true)
  }).timeout(20_000)

  const files = readdirSync(join(repository, 'config')).filter(
    (name) => name.endsWith('.yaml') && name !== 'models.yaml',
  )

  for (const name of files) {
    const text = () => readFileSync(join(repository, 'config', name), 'utf8')

    it(`${name} names its schema, for editors`, () => {
      expect(text().split('\n')[0]).to.equal('# yaml-language-server: $schema=./schema.json')
    })

    it(`${name} is accepted by the plugins that it names`, async () => {
      const { plugins } = await loadPlugins(await loadConfig(join(repository, 'config', name), { environment: {} }))
      expect(plugins).to.not.be.empty
    })

    it(`${name} fits it as it is written`, () => {
      expect(validate(parse(text(), { merge: true })), JSON.stringify(validate.errors)).to.equal(true)
    })
  }
})
