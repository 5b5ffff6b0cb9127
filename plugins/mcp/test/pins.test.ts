import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CommandContext, Tool } from '@sallyport/core'
import { expect } from 'chai'
import fc from 'fast-check'
import { errorOf } from '@sallyport/stand-ins/errors'
import { until } from '@sallyport/stand-ins/promises'
import { toolsCommand } from '../src/commands.js'
import { TrustOnFirstUse } from '../src/pins/approval.js'
import { listedTool } from '../src/tool.js'
import { newHome, startKernel, stopAll, logBook } from './support/kernels.js'
import type { Running } from './support/kernels.js'

const program = fileURLToPath(new URL('support/program.js', import.meta.url))

/** A server that has other tools once the file is there. */
const changing = (home: string, options: object = {}) => {
  const file = join(home, 'changed')
  return { file, server: { command: process.execPath, args: [program, 'changes', file], ...options } }
}

const start = (home: string, options: object = {}) =>
  startKernel({ servers: { odd: changing(home, options).server } }, home)

const call = ({ tools }: Running, name = 'echo', text = 'hello') =>
  tools.call({ server: 'odd', name, arguments: { text } })

const namesOf = async ({ tools }: Running) =>
  (await tools.list({ server: 'odd' })).servers[0]!.tools.map(({ name }) => name)

/** What the log says of tools that were approved because they were the first. */
const approvals = ({ log }: Running) =>
  log.lines
    .filter(({ message }) => message.includes('approved as they were first listed'))
    .map(({ fields }) => fields['tools'])

/** What a command prints. */
const run = async (home: string, name: string, ...given: string[]): Promise<string[]> => {
  const lines: string[] = []
  const context: CommandContext = {
    home,
    options: {},
    logger: logBook().logger,
    print: (line) => void lines.push(line),
  }
  const command = toolsCommand.commands?.find((one) => one.name === name)
  await command?.run?.({ arguments: given, options: {} }, context)
  return lines
}

describe('tools that change', function () {
  this.timeout(60_000)
  afterEach(stopAll)

  it('are left out and refused until they are approved, which holds at once', async () => {
    const home = await newHome()
    const running = await start(home)
    expect(await namesOf(running)).to.deep.equal(['echo'])
    await call(running, 'echo', 'change')
    expect(await namesOf(running)).to.deep.equal([])
    expect((await errorOf(call(running), 'unsupported')).message).to.contain('sallyport tools approve odd echo')
    expect((await errorOf(call(running, 'more'), 'unsupported')).message).to.contain('has not been approved')
    const warnings = running.log.lines.filter(({ level }) => level === 'warn')
    expect(approvals(running)).to.deep.equal([['echo']])
    expect(warnings.map(({ fields }) => fields['tools'])).to.deep.equal([{ echo: 'changed', more: 'new' }])
    expect((await run(home, 'list')).slice(1).map((line) => line.split(/\s+/).slice(0, 3))).to.deep.equal([
      ['odd', 'echo', 'changed'],
      ['odd', 'more', 'new'],
    ])
    const [state, before, now] = await run(home, 'show', 'odd', 'echo')
    expect(state).to.equal('odd echo: changed')
    const texts = [before!.replace('approved: ', ''), now!.replace('listed: ', '')].map(
      (text) => JSON.parse(text) as Tool,
    )
    expect(texts.map(({ name }) => name)).to.deep.equal(['echo', 'echo'])
    expect(texts[0]).not.to.deep.equal(texts[1])
    expect(await run(home, 'approve', 'odd', 'echo')).to.have.length(1)
    expect(await run(home, 'approve', 'odd', 'echo')).to.deep.equal([
      'nothing to approve: odd echo is approved already',
    ])
    expect(await namesOf(running)).to.deep.equal(['echo'])
    expect(await run(home, 'show', 'odd', 'echo')).to.deep.equal(['odd echo: approved', now])
    await call(running)
    expect(await run(home, 'approve', 'odd')).to.have.length(1)
    expect(await namesOf(running)).to.deep.equal(['echo', 'more'])
  })

  it('are noticed when they have changed between two starts', async () => {
    const home = await newHome()
    const earlier = await start(home)
    await namesOf(earlier)
    await earlier.kernel.stop()
    const { file } = changing(home)
    writeFileSync(file, '')
    const later = await start(home)
    expect(await namesOf(later)).to.deep.equal([])
    await later.kernel.stop()
    rmSync(file)
    expect(await namesOf(await start(home))).to.deep.equal(['echo'])
  })

  it('are shown as they were approved when they are gone', async () => {
    const home = await newHome()
    const { file } = changing(home)
    writeFileSync(file, '')
    const earlier = await start(home)
    expect(await namesOf(earlier)).to.deep.equal(['echo', 'more'])
    await earlier.kernel.stop()
    rmSync(file)
    await namesOf(await start(home))
    const [state, approved, ...others] = await run(home, 'show', 'odd', 'more')
    expect([state, others]).to.deep.equal(['odd more: gone', []])
    expect(JSON.parse(approved!.replace('approved: ', ''))).to.have.property('description', 'Repeats.')
    const { message } = await errorOf(run(home, 'approve', 'odd', 'more'), 'invalid_request')
    expect(message).to.contain('the last listing of odd has no tool more')
  })

  it('may be used where nothing is pinned', async () => {
    const home = await newHome()
    const running = await start(home, { pin: false })
    await call(running, 'echo', 'change')
    expect(await namesOf(running)).to.deep.equal(['echo', 'more'])
    expect(existsSync(join(home, 'mcp'))).to.equal(false)
  })

  it('say when they were listed last', async () => {
    const home = await newHome()
    const running = await start(home, { pin: false })
    const created = async () => (await running.tools.list({ server: 'odd' })).servers[0]!.created!
    const first = await created()
    await until(() => Date.now() / 1000 >= first + 1)
    expect(await created()).to.equal(first)
    await call(running, 'echo', 'change')
    expect(await created()).to.be.greaterThan(first)
  })

  it('can be pinned in the configuration', async () => {
    const home = await newHome()
    await namesOf(await start(home))
    const hash = /[\da-f]{64}/.exec((await run(home, 'list')).join('\n'))![0]
    const running = await start(home, { tools: { echo: hash } })
    expect(await namesOf(running)).to.deep.equal(['echo'])
    await call(running, 'echo', 'change')
    expect(await namesOf(running)).to.deep.equal([])
    expect((await errorOf(call(running), 'unsupported')).message).to.contain('mcp.servers.odd.tools')
    await errorOf(
      startKernel({ servers: { odd: { ...changing(home).server, tools: { echo: 'x' } } } }),
      'config_invalid',
    )
  })

  it('are not offered where the operator does not want them', async () => {
    const home = await newHome()
    writeFileSync(changing(home).file, '')
    const running = await start(home, { allowedTools: ['more'] })
    expect(await namesOf(running)).to.deep.equal(['more'])
    expect((await errorOf(call(running), 'unsupported')).message).to.contain('there is no tool')
  })

  it('are remembered in files that are the owner’s alone', async () => {
    const home = await newHome()
    await namesOf(await start(home))
    for (const name of ['odd.approved.json', 'odd.listed.json'])
      expect(statSync(join(home, 'mcp', name)).mode & 0o777).to.equal(0o600)
  })

  it('are all refused where what was approved cannot be read', async () => {
    const home = await newHome()
    mkdirSync(join(home, 'mcp'))
    writeFileSync(join(home, 'mcp', 'odd.approved.json'), '{"version":1')
    const running = await start(home)
    expect(await namesOf(running)).to.deep.equal([])
    expect(running.log.text()).to.contain(
      'is damaged: restore it. Where it is deleted, whatever the server lists next is approved',
    )
    await errorOf(run(home, 'approve', 'odd'), 'config_invalid')
    expect(approvals(running)).to.deep.equal([])
    rmSync(join(home, 'mcp', 'odd.approved.json'))
    expect(await namesOf(running)).to.deep.equal(['echo'])
    expect(approvals(running)).to.deep.equal([['echo']])
    writeFileSync(join(home, 'mcp', 'odd.approved.json'), '{')
    expect(await namesOf(running)).to.deep.equal([])
    expect(await namesOf(running)).to.deep.equal([])
    // The log says it once each time that the file is damaged.
    expect(running.log.text().match(/is damaged: restore it/g)).to.have.length(2)
  })

  it('cannot be approved before they were listed', async () => {
    const home = await newHome()
    expect((await run(home, 'list'))[0]).to.contain('No tool server')
    await errorOf(run(home, 'approve', 'odd'), 'invalid_request')
    await namesOf(await start(home))
    await errorOf(run(home, 'approve', 'odd', 'other'), 'invalid_request')
    expect(JSON.parse(readFileSync(join(home, 'mcp', 'odd.approved.json'), 'utf8'))).to.have.nested.property(
      'tools.echo',
    )
  })
})

describe('a connection of a request', () => {
  it('remembers a bounded number of names, and refuses later ones', () => {
    const listing = (from: number) => Array.from({ length: 1000 }, (_, index) => tool(`tool${from + index}`))
    const tool = (name: string) => listedTool({ name, inputSchema: {} })!
    const approval = new TrustOnFirstUse()
    const approved = [0, 1000, 2000, 3000, 0].map((from) => approval.judge(listing(from)).approved.length)
    expect(approved).to.deep.equal([1000, 1000, 0, 0, 1000])
    expect(approval.judge([tool('tool2000')]).refused).to.deep.equal(new Map([['tool2000', 'new']]))
  })
})

describe('the hash of a tool', () => {
  const tool = { name: 'a', description: 'b', inputSchema: { type: 'object', properties: { c: {} } }, annotations: {} }

  it('does not depend on the order of keys', () => {
    const shuffled = (value: unknown): unknown => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, item]) => [key, shuffled(item)]),
      )
    }
    const schema = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }))
    fc.assert(
      fc.property(schema, (inputSchema) => {
        const [first, second] = [
          { ...tool, inputSchema },
          { ...tool, inputSchema: shuffled(inputSchema) },
        ]
        expect(listedTool(second)?.hash).to.equal(listedTool(first)?.hash)
      }),
    )
  })

  for (const [what, change] of Object.entries({
    name: { name: 'b' },
    title: { title: 'A' },
    description: { description: 'b\u200b' },
    'what is hidden in the description': { description: 'b\u001b[0m' },
    schema: { inputSchema: { type: 'object', properties: { c: { type: 'string' } } } },
    annotations: { annotations: { readOnlyHint: true } },
  }))
    it(`changes with ${what}`, () => {
      expect(listedTool({ ...tool, ...change })?.hash).not.to.equal(listedTool(tool)?.hash)
    })
})
