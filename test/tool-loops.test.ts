/** Conversations in which a model calls the tools of a real server, over HTTP. */

import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { isAlive } from '@sallyport/stand-ins/processes'
import { until } from '@sallyport/stand-ins/promises'
import { startServer } from './support/server.js'
import type { RunningServer } from './support/server.js'

interface OutputItem {
  readonly type: string
  readonly server_label?: string
  readonly output?: string
  readonly content?: readonly { readonly text: string }[]
}

const loops = 100
const require = createRequire(import.meta.url)
const everything = join(
  dirname(require.resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist/index.js',
)
const secret = (index: number) => `parcel ${index * 7919} for customer ${index}`

/** Ids of the processes that a process has started. */
const childrenOf = (pid: number): number[] =>
  execFileSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child = 0, parent]) => (parent === pid ? [child, ...childrenOf(child)] : []))

describe('a hundred conversations with tools at once', function () {
  this.timeout(180_000)
  let directory: string
  let server: RunningServer
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sallyport-loops-'))
    const file = join(directory, 'config.json')
    const plugin = fileURLToPath(new URL('support/calling-plugin.js', import.meta.url))
    const servers = { everything: { command: process.execPath, args: [everything, 'stdio'] } }
    const plugins = ['@sallyport/koa', '@sallyport/mcp', plugin]
    await writeFile(file, JSON.stringify({ plugins, mcp: { servers } }))
    server = await startServer(file, { SALLYPORT_HOME: directory })
  })
  after(async () => {
    await server.stop()
    await rm(directory, { recursive: true, force: true })
  })

  const body = (index: number) => ({
    model: 'caller',
    input: secret(index),
    tools: [{ type: 'mcp', server_label: 'everything', allowed_tools: ['echo'] }],
  })

  it('are all answered, each with what its own tool said', async () => {
    const answers = await Promise.all(
      Array.from({ length: loops }, async (_, index) => {
        const response = await server.post('/v1/responses', body(index))
        expect(response.status, server.output().slice(-2000)).to.equal(200)
        return (await response.json()) as { status: string; output: OutputItem[] }
      }),
    )
    for (const [index, { status, output }] of answers.entries()) {
      expect(status).to.equal('completed')
      expect(output.map(({ type }) => type)).to.deep.equal(['mcp_call', 'message'])
      expect(output[0]).to.include({ server_label: 'everything', output: `Echo: ${secret(index)}` })
      expect(output[1]?.content?.[0]?.text).to.equal(`Echo: ${secret(index)}`)
    }
  })

  it('are streamed as they are told in one piece', async () => {
    const texts = await Promise.all(
      Array.from({ length: loops }, async (_, index) => {
        const response = await server.post('/v1/responses', { ...body(index), stream: true })
        return response.text()
      }),
    )
    for (const [index, text] of texts.entries()) {
      const completed = /^event: response\.completed\ndata: (.*)$/m.exec(text)?.[1] ?? '{}'
      const { response } = JSON.parse(completed) as { response: { output: OutputItem[] } }
      expect(response.output[1]?.content?.[0]?.text).to.equal(`Echo: ${secret(index)}`)
    }
  })

  it('leave no process behind', async () => {
    const children = childrenOf(server.child.pid ?? 0)
    expect(children.filter(isAlive)).to.have.length.greaterThan(0)
    await server.stop()
    // what watched over a program ends a moment after it
    await until(() => !children.some(isAlive), 5000)
  })
})
