import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { program, root, runNode } from '@sallyport/stand-ins/command-line'

describe('the command line', function () {
  this.timeout(20_000)
  const directory = useTemporaryDirectory()

  const node = (...args: string[]) => runNode(args, directory.path)
  const sallyport = (...args: string[]) => node(program, ...args)

  it('takes values with --set, each with one of its own, wherever it stands', async () => {
    const file = directory.write('config.yaml', 'limits: {drain: soon}\n')
    expect((await sallyport('check', file)).code).to.equal(1)
    const args = ['--set', 'limits.drain=1', '--set', 'log.level=warn']
    expect(await sallyport('check', ...args, file)).to.deep.include({ code: 0 })
    const { code, output } = await sallyport('check', file, ...args, '--set', 'limits.memory=2')
    expect(code).to.equal(1)
    expect(output).to.contain('--set limits.memory: limits.memory: must be')
  })

  const lastLine = (output: string) => output.trimEnd().split('\n').at(-1)

  it('ends a check with how it went', async () => {
    const plugin = directory.write(
      'plugin.mjs',
      `import { chat, definePlugin, injectable } from '${root}core/contract/dist/src/index.js'
       class Broken { constructor() { throw new Error('no such dictionary') } }
       injectable()(Broken)
       class Idle { load() {} }
       const files = { description: 'd', capabilities: [chat], class: Idle }
       export const broken = definePlugin({ name: 'broken', services: [Broken] })
       export default definePlugin({ name: 'backends', backends: { files } })`,
    )
    directory.write('broken.mjs', `export { broken as default } from '${plugin}'`)
    const models = (names: string) => `plugins: [./plugin.mjs]\nmodels: {${names}}\n`
    const missing = (id: string) => `${id}: { backend: files, source: ./none.gguf }`
    const cases: [string, string, string, string][] = [
      ['one problem', models(missing('a')), '', 'is not valid: 1 problem'],
      ['two problems', models(`${missing('a')}, ${missing('b')}`), '', 'is not valid: 2 problems'],
      ['an unreadable one', 'limits: {drain: soon}\n', 'limits.drain', 'is not valid'],
      ['a throwing constructor', 'plugins: [./broken.mjs]\n', 'no such dictionary', 'is not valid'],
      ['none', models(''), 'backends: backend files', 'is valid'],
    ]
    for (const [name, text, says, end] of cases) {
      const file = directory.write('config.yaml', text)
      const { code, output } = await sallyport('check', file)
      expect(output, name).to.contain(says)
      expect(lastLine(output), name).to.equal(`${file} ${end}`)
      expect(code, name).to.equal(end === 'is valid' ? 0 : 1)
    }
  })

  it('says which flag of serve is wrong', async () => {
    const file = directory.write('empty.yaml', 'plugins: []\n')
    const { code, output } = await sallyport('serve', '--config', file, '--host', 'x')
    expect(code).to.equal(1)
    expect(output).to.contain('--host: server: no loaded plugin reads "server"')
  })

  it('tells its version', async () => {
    const { version } = JSON.parse(await readFile(`${root}core/cli/package.json`, 'utf8')) as { version: string }
    expect(await sallyport('--version')).to.deep.equal({ code: 0, output: `${version}\n` })
  })

  it('says where it looks for a configuration', async () => {
    const where = "configuration file (default: ./sallyport.yaml, or else Sallyport's own config/default.yaml)"
    const oneLine = (text: string) => text.replace(/\s+/g, ' ')
    for (const command of ['serve', 'check'])
      expect(oneLine((await sallyport(command, '--help')).output), command).to.contain(where)
  })

  it('tells the commands of plugins which models there are', async () => {
    directory.write(
      'lister.mjs',
      `import { chat } from '@sallyport/core'
       class Silent { async *stream() {} }
       const models = { own: { capability: chat, class: Silent, aliases: ['other'] } }
       const run = (_, { models, print }) => print(models.join())
       export default { name: 'lister', models, commands: [{ name: 'list', description: 'x', run }] }`,
    )
    const file = directory.write('lister.yaml', 'plugins: [./lister.mjs]\n')
    expect(await sallyport('list', '--config', file)).to.deep.equal({ code: 0, output: 'own,other\n' })
  })

  it('lists the backends of the configuration first, and says which plugins it cannot import', async () => {
    const rowOf = async (plugins: string) => {
      const file = directory.write('listing.yaml', `plugins: [${plugins}]\n`)
      const { output } = await sallyport('models', 'list', '--config', file)
      return { output, row: output.split('\n').find((line) => line.includes('smollm2-135m-instruct')) }
    }
    directory.write('unreadable.mjs', 'export default {')
    directory.write(
      'remote.mjs',
      `import { definePlugin, tokens } from '@sallyport/core'
       const remote = { description: 'd', capabilities: [tokens], class: class { load() {} }, files: 'none' }
       export default definePlugin({ name: 'remote', backends: { 'llama-cpp': remote } })`,
    )
    expect((await rowOf('')).row).to.contain(' llama-cpp ')
    const { row, output } = await rowOf('./unreadable.mjs, ./remote.mjs')
    expect(row).to.contain('none installed')
    expect(output).to.match(
      /unreadable\.mjs.*a plugin could not be imported|a plugin could not be imported.*unreadable\.mjs/s,
    )
  })

  it('refuses a Node older than the manifest allows, before it installs anything', async () => {
    const pretend = (version: string) =>
      `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`
    for (const version of ['18.20.0', '20.18.3']) {
      const { code, output } = await node('--import', pretend(version), `${root}core/bin/bootstrap.mjs`)
      expect(code).to.equal(1)
      expect(output).to.contain(`Node ${version} is too old: install Node 20.19 or newer`)
    }
  })
})
