import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createKernel } from '@sallyport/kernel'
import { tools } from '@sallyport/core'
import { loadConfig } from '@sallyport/config'
import { expect } from 'chai'
import { errorOf } from '@sallyport/stand-ins/errors'
import { startEverything } from './support/everything.js'
import { newHome, startKernel, stopAll, logBook } from './support/kernels.js'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const command = process.execPath
const url = 'http://127.0.0.1/'

describe('the section mcp', function () {
  this.timeout(60_000)
  afterEach(stopAll)

  for (const [what, server, says] of [
    ['a program that is not there', { command: 'no-such-program' }, 'command: there is no program "no-such-program"'],
    ['a path where no program is', { command: './no-such-program' }, 'at this path'],
    ['a directory that is not there', { command, cwd: 'nowhere' }, 'cwd: there is no directory'],
    ['neither program nor address', {}, 'command: is missing, and so is url'],
    ['program and address', { command, url }, 'url: cannot be combined with command'],
    ['headers for a program', { command, headers: { a: 'b' } }, 'headers: is for servers with a url'],
    ['an environment for an address', { url, env: { a: 'b' } }, 'env: is for servers with a command'],
    ['what is no address', { url: 'tools' }, 'url: must be an address'],
    ['another scheme', { url: 'ftp://127.0.0.1/' }, 'url: must begin with https:// or http://'],
    ['a password in an address', { url: 'http://a:b@127.0.0.1/' }, 'url: must have no user name'],
    ['a header of the connection', { url, headers: { a: 'b', Host: 'a' } }, 'headers: the header "Host" is set'],
    ['a name that is none', { url, headers: { 'a b': 'b' } }, 'headers: the header "a b" is not a valid header name'],
    ['a value in lines', { url, headers: { a: 'b\nc' } }, 'headers: the value of the header "a" must be 1 to 8192'],
    [
      'a value that is too long',
      { url, headers: { a: 'b'.repeat(8193) } },
      'must be 1 to 8192 characters of printable',
    ],
    ['a line end in a credential', { url, authorization: 'a\nb' }, 'authorization: must be'],
    ['a misspelt option', { comand: 'ls' }, 'did you mean "command"'],
  ] as const)
    it(`is refused with ${what}`, async () => {
      const { message } = await errorOf(startKernel({ servers: { odd: server } }), 'config_invalid')
      expect(message).to.contain(says.replace(/^\w+: /, ''))
    })

  for (const allow of ['*:0', '127.0.0.1:65536', '127.0.0.1:**'])
    it(`is refused with the host ${allow} for requests`, async () => {
      const { message } = await errorOf(startKernel({ requests: { allow: [allow] } }), 'config_invalid')
      expect(message).to.contain('requests.allow').and.contain('example.com:* (every port)')
    })

  it('is refused with a label that is none', async () => {
    await errorOf(startKernel({ servers: { '../odd': { command } } }), 'config_invalid')
  })

  it('is what the README shows', async () => {
    const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
    const text = /```yaml\n([^]*?)```/.exec(readme)![1]!
    const { port } = await startEverything('streamableHttp')
    const home = await newHome()
    const file = join(home, 'config.yaml')
    await writeFile(file, text.replace('args: [', `args: [${root}`).replace(':3001/', `:${port}/`))
    const { sections } = await loadConfig(file)
    const running = await startKernel(sections['mcp'] as object, home)
    const { servers } = await running.tools.list({})
    expect(servers.map(({ label, tools }) => [label, tools.length > 2])).to.deep.equal([
      ['everything', false],
      ['elsewhere', true],
    ])
    const sum = { server: 'everything', name: 'get-sum', arguments: { a: 1, b: 2 } }
    expect((await running.tools.call(sum)).output).to.contain('3')
    const url = 'https://elsewhere.example.org/mcp'
    await errorOf(running.tools.list({ requested: { label: 'mine', url } }), 'unsupported')
  })

  it('of config/tools.yaml runs', async () => {
    const { sections, baseDirectory } = await loadConfig(join(root, 'config/tools.yaml'))
    const running = await startKernel(sections['mcp'] as object, undefined, baseDirectory)
    const { servers } = await running.tools.list({})
    expect(servers.map(({ label, tools }) => [label, tools.map(({ name }) => name)])).to.deep.equal([
      ['everything', ['echo', 'get-structured-content', 'get-sum']],
    ])
  })

  it('may be empty', async () => {
    const running = await startKernel({})
    expect(await running.tools.list({})).to.deep.equal({ servers: [] })
    const { message } = await errorOf(running.tools.call({ server: 'a', name: 'b', arguments: {} }), 'unsupported')
    expect(message).to.contain('known: none')
  })

  it('starts nothing in a kernel without services', async () => {
    const { default: plugin } = await import('../src/index.js')
    const mcp = { servers: { odd: { command, args: ['-e', 'process.exit(1)'] } } }
    const log = logBook()
    const kernel = await createKernel({ plugins: [plugin], mcp }, { services: false, logger: log.logger })
    expect(await kernel.get(tools, 'mcp').list({})).to.deep.equal({ servers: [] })
    await kernel.stop()
    expect(log.text()).not.to.contain('the tool server')
  })
})
