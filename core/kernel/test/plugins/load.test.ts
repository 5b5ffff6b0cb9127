import { expect } from 'chai'
import { loadConfig, parseConfig } from '@sallyport/config'
import { definePlugin } from '@sallyport/core'
import type { BackendDefinition, ModelBackend } from '@sallyport/core'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { loadPlugins } from '../../src/plugins/load.js'

class Backend implements ModelBackend {
  load = () => Promise.resolve({ provides: [] })
}

const own = definePlugin({
  name: 'own',
  options: { type: 'object', properties: { size: { type: 'integer', default: 1 } } },
  backends: {
    making: {
      description: 'makes models',
      capabilities: [],
      class: Backend,
      options: { type: 'object', properties: { parallel: { type: 'integer', default: 4 } } },
    },
  },
})

const kiosk = definePlugin({
  name: 'kiosk',
  section: 'kiosk',
  options: { type: 'object', properties: { port: { type: 'integer', default: 80 } } },
})

describe('loading the plugins of a configuration', () => {
  const { path, write, failureOf } = useTemporaryDirectory()

  it('gives each its options, with defaults, frozen', async () => {
    const input = { plugins: [own, { use: own, options: { size: 2 } }, kiosk], kiosk: { port: 1 } }
    const { plugins } = await loadPlugins(parseConfig(input, path))
    expect(plugins.map(({ definition, options }) => [definition.name, options])).to.deep.equal([
      ['own', { size: 1 }],
      ['own', { size: 2 }],
      ['kiosk', { port: 1 }],
    ])
    for (const { options } of plugins) expect(options).to.be.frozen
  })

  it('loads those of one configuration once', async () => {
    const config = parseConfig({ plugins: [own] }, path)
    expect(await loadPlugins(config)).to.equal(await loadPlugins(config))
    expect(await loadPlugins(parseConfig({ plugins: [own] }, path))).not.to.equal(await loadPlugins(config))
  })

  it('gives a plugin its defaults where its section is not written', async () => {
    const { plugins } = await loadPlugins(parseConfig({ plugins: [kiosk] }, path))
    expect(plugins[0]?.options).to.deep.equal({ port: 80 })
  })

  it('fills in the options of models', async () => {
    const { config } = await loadPlugins(parseConfig({ plugins: [own], models: { a: { backend: 'making' } } }, path))
    expect(config.models['a']?.options).to.deep.equal({ parallel: 4 })
    expect(config.models).to.be.frozen
    expect(config.models['a']).to.be.frozen
    expect(config.models['constructor']).to.equal(undefined)
  })

  it('names the installed plugin that has a backend which no loaded one has, whatever is wrong with others', async () => {
    const install = (name: string, capabilities: string) => {
      const manifest = { name, type: 'module', main: 'index.js', peerDependencies: { '@sallyport/core': '*' } }
      write(`node_modules/${name}/package.json`, JSON.stringify(manifest))
      write(
        `node_modules/${name}/index.js`,
        `import { scoreCheck } from '@sallyport/core'
         export default { name: '${name}', backends: { far: {
           description: 'd', capabilities: [${capabilities}], class: class { load() {} } } } }`,
      )
    }
    install('elsewhere', '')
    install('stageless', "scoreCheck('mood', { stages: {}, order: 1, message: 'm' })")
    write('node_modules/unreadable/package.json', '')
    const input = { plugins: [own], models: { a: { backend: 'far' } } }
    expect(await failureOf(() => loadPlugins(parseConfig(input, path)))).to.contain(
      'models.a.backend: no loaded plugin has a backend "far": add "elsewhere", which has it, to plugins',
    )
  })

  it('tells an unknown backend from a plugin that brings models itself', async () => {
    write(
      'bringing.mjs',
      "import { chat } from '@sallyport/core'\nexport default { name: 'shout', models: " +
        "{ 'shout-1': { capability: chat, class: class { async *stream() {} } } } }",
    )
    const cases = [
      ['makin', 'no loaded plugin has a backend "makin": did you mean "making"?'],
      ['shout', '"shout" is a plugin that brings models, not backends: shout-1 needs no entry here, remove this one'],
      [
        'shout-1',
        '"shout-1" is a model that the plugin shout brings, and no backend: it needs no entry here, remove this one',
      ],
    ]
    for (const [backend = '', problem] of cases) {
      const config = parseConfig({ plugins: [own, './bringing.mjs'], models: { a: { backend } } }, path)
      expect(await failureOf(() => loadPlugins(config))).to.equal(`config_invalid models.a.backend: ${problem}`)
    }
  })

  it('works for plugins given in every way', async () => {
    write('one.mjs', "export default { name: 'one' }")
    write('two.ts', "export default { name: 'two' as const }")
    const url = new URL(`file://${path}/one.mjs`)
    const { plugins } = await loadPlugins(parseConfig({ plugins: ['./one.mjs', url, { use: './two.ts' }, own] }, path))
    expect(plugins.map(({ definition }) => definition.name)).to.deep.equal(['one', 'one', 'two', 'own'])
    expect(plugins.map(({ moduleUrl }) => typeof moduleUrl)).to.deep.equal(['string', 'string', 'string', 'undefined'])
  })

  it('takes every form of the files that a backend needs, and no other', async () => {
    const withFiles = (files: BackendDefinition['files']) => {
      const backend = { description: 'of files', capabilities: [], class: Backend }
      return definePlugin({
        name: 'reader',
        backends: { reading: files === undefined ? backend : { ...backend, files } },
      })
    }
    const loadWith = (files: BackendDefinition['files']) =>
      loadPlugins(parseConfig({ plugins: [withFiles(files)] }, path))
    const byRole = { model: { names: ['model.onnx', 'onnx/model.onnx'] }, vocab: { names: ['v'], optional: true } }
    for (const files of [undefined, 'weights', 'none', byRole] as const)
      expect((await loadWith(files)).plugins, JSON.stringify(files)).to.have.length(1)
    for (const files of ['required', {}, { model: {} }, { model: { names: [] } }, { model: 'a' }])
      expect(await failureOf(() => loadWith(files as 'none')), JSON.stringify(files)).to.match(
        /^plugin_invalid plugin reader: backends\.reading\.files/,
      )
  })

  it('names the path, not a place, for a configuration from code', async () => {
    const config = parseConfig({ plugins: [own], models: { a: { backend: 'making', options: { paralel: 1 } } } }, path)
    expect(await failureOf(() => loadPlugins(config))).to.equal(
      'config_invalid models.a.options.paralel: unknown key: did you mean "parallel"?',
    )
  })

  it('reports the mistakes of sections, plugins and models together', async () => {
    write('three.mjs', "export default { name: 'three', section: 'three', options: { type: 'object' } }")
    const file = write(
      'config.yaml',
      'plugins:\n  - ./three.mjs\n  - {use: ./one.mjs, options: {x: 1}}\nthree: {y: 1}\nfour: {}\n',
    )
    const config = await loadConfig(file)
    expect(await failureOf(() => loadPlugins(config))).to.equal(
      'config_invalid 3 problems' +
        '\n  config.yaml:5:1: four: no loaded plugin reads "four": add the plugin that does, or remove it' +
        '\n  config.yaml:4:1: three: three has no options: remove them' +
        '\n  config.yaml:3:22: plugins[1].options: one has no options: remove them',
    )
  })

  it('says where a plugin is named that is wrong', async () => {
    write('wrong.mjs', 'export default { name: 5 }')
    const file = write('config.yaml', 'plugins:\n  - use: ./wrong.mjs\n')
    const config = await loadConfig(file)
    expect(await failureOf(() => loadPlugins(config))).to.equal(
      'plugin_invalid config.yaml:2:10: plugin ./wrong.mjs: name: must be a text that is not empty, but is 5 (write it in quotes)',
    )
  })
})
