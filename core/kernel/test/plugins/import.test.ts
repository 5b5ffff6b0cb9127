import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { chat, definePlugin } from '@sallyport/core'
import type { PluginDefinition } from '@sallyport/core'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { importPlugin } from '../../src/plugins/import.js'

interface Streaming {
  stream(request: object, call: object): AsyncIterable<object>
}

describe('importing a plugin', () => {
  const directory = useTemporaryDirectory()
  const { path, write, failureOf } = directory
  const load = (use: string | URL | PluginDefinition) => importPlugin(use, path)

  describe('finds', () => {
    const named = (name: string) => `export default { name: '${name}' }`
    write('plain.mjs', named('plain'))
    write('sub/inner.mts', `const name: string = 'inner'\nexport default { name }`)
    write('typed/package.json', '{"type": "module"}')
    write('typed/plugin.js', named('typed'))
    write('compiled.js', "exports.__esModule = true\nexports.default = { name: 'compiled' }")
    write('node_modules/required/package.json', '{"name": "required", "main": "main.js"}')
    write('node_modules/required/main.js', "module.exports = { name: 'required' }")
    write(
      'node_modules/@scope/imported/package.json',
      '{"name": "@scope/imported", "exports": {"import": "./index.mjs"}}',
    )
    write('node_modules/@scope/imported/index.mjs', named('imported'))

    const found: Readonly<Record<string, readonly [use: string, name: string, file: string]>> = {
      'a path': ['./plain.mjs', 'plain', 'plain.mjs'],
      'a path of TypeScript': ['./sub/inner.mts', 'inner', 'sub/inner.mts'],
      'an absolute path': [`${path}/plain.mjs`, 'plain', 'plain.mjs'],
      'a file URL': [pathToFileURL(`${path}/plain.mjs`).href, 'plain', 'plain.mjs'],
      'a module that ends in .js': ['./typed/plugin.js', 'typed', 'typed/plugin.js'],
      'a module that was compiled to CommonJS': ['./compiled.js', 'compiled', 'compiled.js'],
      'a package beside the configuration': ['required', 'required', 'node_modules/required/main.js'],
      'a package that can only be imported': ['@scope/imported', 'imported', 'node_modules/@scope/imported/index.mjs'],
    }
    for (const [title, [use, name, file]] of Object.entries(found))
      it(title, async () => {
        const { definition, moduleUrl } = await load(use)
        expect(definition.name).to.equal(name)
        expect(moduleUrl).to.equal(pathToFileURL(`${path}/${file}`).href)
      })

    it('a URL object', async () => {
      expect((await load(pathToFileURL(`${path}/plain.mjs`))).definition.name).to.equal('plain')
    })

    it('a package beside the core, from a configuration anywhere', async () => {
      const { moduleUrl } = await load('yaml').catch((error: unknown) => ({ moduleUrl: String(error) }))
      expect(moduleUrl).to.contain('plugin yaml: "name" is missing')
    })

    it('a definition from code, which no child process can import', async () => {
      const definition = definePlugin({ name: 'own' })
      expect(await load(definition)).to.deep.equal({ definition, moduleUrl: undefined })
    })
  })

  describe('in TypeScript, outside any project', () => {
    write('helper.ts', 'export const mark = (text: string): string => `${text}!`')
    write(
      'second.mts',
      "import type { Missing } from 'not-installed'\nexport type Mark = Missing\nexport const two = 2",
    )
    write(
      'shout.ts',
      `import { chat, definePlugin, inject, injectable, options, type Call } from '@sallyport/core'
       import { ChatCapability, ChatRequest } from '@sallyport/core'
       import { runConformance } from '@sallyport/testing'
       import reference from '@sallyport/testing/reference'
       import { mark } from './helper.js'
       import { two, type Mark } from './second.mjs'

       enum Volume { Loud = 'LOUD' }
       interface ShoutOptions { suffix: string }

       @injectable()
       class ShoutChat implements ChatCapability {
         private count = two satisfies number
         constructor(@inject(options) private readonly options: ShoutOptions) {}
         async *stream({ messages }: ChatRequest, { signal }: Call) {
           signal.throwIfAborted()
           yield { delta: mark(Volume.Loud) + this.options.suffix + this.count + messages.length }
         }
       }

       export const token: unknown = chat
       export const others = [typeof runConformance, reference.name]
       export default definePlugin({
         name: 'shout',
         options: { type: 'object', properties: { suffix: { type: 'string', default: '?' } } },
         models: { 'shout-1': { capability: chat, class: ShoutChat, contextLength: 4096 } },
       })`,
    )
    // A core of another version, which Node would find first.
    write(
      'node_modules/@sallyport/core/package.json',
      '{"name": "@sallyport/core", "type": "module", "exports": "./index.js"}',
    )
    write('node_modules/@sallyport/core/index.js', "throw new Error('the wrong core')")

    it('it gets the running core and not another copy', async () => {
      const { definition, moduleUrl = '' } = await load('./shout.ts')
      const module = (await import(moduleUrl)) as { token: unknown; others: unknown[] }
      expect(module.token).to.equal(chat)
      expect(module.others[0]).to.equal('function')
      expect(definition.models?.['shout-1']?.capability).to.equal(chat)
    })

    it('has decorators, also of parameters', async () => {
      const { construct, bind } = await import('../../src/plugins/container.js')
      const { options } = await import('@sallyport/core')
      const { definition } = await load('./shout.ts')
      const type = definition.models?.['shout-1']?.class
      const service = type && (construct(type, 'p', [bind(options, { suffix: '?' })]) as Streaming)
      const chunks: object[] = []
      const call = { signal: new AbortController().signal }
      for await (const chunk of service?.stream({ messages: [1] }, call) ?? []) chunks.push(chunk)
      expect(chunks).to.deep.equal([{ delta: 'LOUD!?21' }])
    })
  })

  describe('says what is wrong with', () => {
    const files: readonly (readonly [title: string, name: string, content: string, message: string])[] = [
      [
        'a module without a default export',
        'a.ts',
        'export const plugin = 1, other = 2',
        'has no default export made by definePlugin (it exports other, plugin)',
      ],
      ['an empty module', 'b.mjs', '', 'has no default export made by definePlugin'],
      [
        'a default export that is a function',
        'c.mjs',
        'export default () => 1',
        'has no default export made by definePlugin',
      ],
      ['a mistake in TypeScript', 'd.ts', 'const a = 1\nconst b: = 3', 'd.ts:2:10: Unexpected "="'],
      ['a mistake in JavaScript', 'e.mjs', '\n\nconst a = = 3', "e.mjs:3:11: Unexpected token '='"],
      [
        'an error when it is loaded',
        'f.ts',
        'interface A { a: string }\n\nthrow new Error("no luck\\nat all")',
        'f.ts:3:7: threw an error while it was being imported: no luck',
      ],
      ['something else that is thrown', 'g.mjs', 'throw 5', 'threw an error while it was being imported: 5'],
      [
        'a package that is missing',
        'h.mjs',
        "import 'not-installed/sub'",
        'h.mjs imports the package "not-installed", which is not installed: npm install not-installed',
      ],
      ['a file that is missing', 'i.ts', "import './none.js'", 'i.ts imports none.js, which does not exist'],
      [
        'a name that the core does not have',
        'j.ts',
        "import { chatt } from '@sallyport/core'\nexport default { name: chatt }",
        'j.ts imports "chatt" from "@sallyport/core", which has no export of that name: did you mean "chat"?',
      ],
      ['no name', 'k.mjs', 'export default {}', '"name" is missing'],
      [
        'a misspelt key',
        'l.mjs',
        "export default { name: 'l', model: {} }",
        'model: unknown key: did you mean "models"?',
      ],
      [
        'an object where a class must be',
        'm.mjs',
        "import { chat } from '@sallyport/core'\nexport default { name: 'm', models: { 'shout-1': { capability: chat, class: {} } } }",
        'models.shout-1.class: must be a class, but is a map',
      ],
      [
        'an arrow function where a class must be',
        'n.mjs',
        "export default { name: 'n', services: [() => 1] }",
        'services[0]: must be a class, but is a function',
      ],
      [
        'a name where a capability must be',
        'o.mjs',
        "export default { name: 'o', requires: ['chat'] }",
        'requires[0]: must be a capability of the core, but is the text "chat"',
      ],
      [
        'a misspelt key of a backend',
        'p.mjs',
        "export default { name: 'p', backends: { b: { description: 'x', capabilities: [], class: class {}, isolaton: {} } } }",
        'backends.b.isolaton: unknown key: did you mean "isolation"?',
      ],
      [
        'a section of the core',
        'q.mjs',
        "export default { name: 'q', section: 'models' }",
        'section: "models" is a key of the core: choose another name',
      ],
      [
        'a wrong schema',
        'r.mjs',
        "export default { name: 'r', options: { type: 'object', propertes: {} } }",
        'options: is not a JSON Schema that can be used: strict mode: unknown keyword: "propertes"',
      ],
      [
        'a wrong schema of a backend',
        's.mjs',
        "export default { name: 's', backends: { b: { description: 'x', capabilities: [], class: class {}, options: { type: 'object', required: 'a' } } } }",
        'backends.b.options: is not a JSON Schema that can be used: required value must be ["array"]',
      ],
      [
        'a command that cannot be run',
        't.mjs',
        "export default { name: 't', commands: [{ name: 'a', description: 'b', commands: [{ name: 'c', description: 'd', run: 1 }] }] }",
        'commands[0].commands[0].run: must be a function, but is 1',
      ],
      [
        'several mistakes',
        'u.mjs',
        "export default { nme: 'u', options: 5 }",
        'nme: unknown key: did you mean "name"?; options: must be a map (key: value), but is 5',
      ],
    ]
    for (const [title, name, content, message] of files)
      it(title, async () => {
        write(name, content)
        expect(await failureOf(() => load(`./${name}`))).to.equal(`plugin_invalid plugin ./${name}: ${message}`)
      })

    write('here.ts', '')
    write('node_modules/@scope/empty/package.json', '{"name": "@scope/empty", "exports": "./dist/index.js"}')
    write('node_modules/closed/package.json', '{"name": "closed", "exports": {"./other": "./x.js"}}')
    const uses: Readonly<Record<string, readonly [use: string, message: string]>> = {
      'a path to nothing, with where it was looked for': ['./none.ts', 'there is no such file: none.ts'],
      'a directory': ['./sub', 'name the file itself, which ends in .ts, .mts, .js or .mjs'],
      'a file of another kind': [
        './node_modules/closed/package.json',
        'name the file itself, which ends in .ts, .mts, .js or .mjs',
      ],
      'a path that does not begin with ./': [
        'here.ts',
        'there is no package of that name: for the file, write ./here.ts',
      ],
      'a package that is not there': ['nowhere-at-all', 'is not installed: npm install nowhere-at-all'],
      'a package of this repository': [
        '@sallyport/nowhere-at-all',
        "is not installed: make its package in Sallyport's repository (npm run pack -- <folder> nowhere-at-all), " +
          'then npm install <folder>/*.tgz',
      ],
      'a name that only its scope makes like another': ['@scope/port', 'is not installed: npm install @scope/port'],
      'a misspelt package': ['@scope/importd', 'is not installed: did you mean "@scope/imported"?'],
      'a package without its code': [
        '@scope/empty',
        'the package is there but not its code: build it, or install it again',
      ],
      'a package without an entry': ['closed', 'the package has no such entry: use the name of the package alone'],
      'an address in the web': [
        'https://example.com/x.mjs',
        'plugins are not fetched: use a path, a file: URL or a package',
      ],
      'what is no name': ['two words', 'is neither a package name nor a path: begin a path with ./'],
    }
    for (const [title, [use, message]] of Object.entries(uses))
      it(title, async () => {
        expect(await failureOf(() => load(use))).to.equal(`plugin_invalid plugin ${use}: ${message}`)
      })

    it('a definition from code', async () => {
      const wrong = { name: 'own', model: {} } as PluginDefinition
      expect(await failureOf(() => load(wrong))).to.equal(
        'plugin_invalid plugin own: model: unknown key: did you mean "models"?',
      )
    })
  })
})
