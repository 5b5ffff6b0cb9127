import { expect } from 'chai'
import { ChatClient } from '../bench/client/chat-client.js'
import { freePort, launch, whileRunning } from '../bench/servers/launch.js'
import { treeResources } from '../bench/servers/process-tree.js'

const node = (program: string, port: number) =>
  launch({
    command: process.execPath,
    args: ['--eval', program],
    env: { TEST_PORT: String(port) },
    url: `http://127.0.0.1:${port}`,
    readyPath: '/ready',
  })

describe('launcher of servers', () => {
  it('waits until the server is ready, and ends it', async () => {
    const port = await freePort()
    const server = await node(
      `let asked = 0
      require('http').createServer((_, response) => response.writeHead(++asked < 3 ? 503 : 200).end()).listen(process.env.TEST_PORT)`,
      port,
    )
    expect(server.startTime).to.be.above(0)
    const { server: own } = treeResources(server.pid)
    expect(own.resident).to.be.within(10e6, 1e9)
    expect(own.cpu).to.be.within(1, 10_000)
    expect(treeResources(process.pid).children.resident).to.be.at.least(own.resident / 2)
    await server.stop()
    expect(treeResources(server.pid).server).to.deep.equal({ resident: 0, cpu: 0 })
  })

  it('tells what a server that ended had printed', async () => {
    const error: unknown = await node(`console.error('no such model'); process.exit(3)`, await freePort()).catch(
      (reason: unknown) => reason,
    )
    expect(error)
      .to.be.an('error')
      .with.property('message')
      .that.matches(/ended with 3[^]*no such model/)
  })

  it('tells what a server had printed that ended at work', async () => {
    const server = await node(
      `require('http').createServer((request, response) => {
        if (request.method === 'GET') return response.end()
        console.error('out of luck')
        process.exit(4)
      }).listen(process.env.TEST_PORT)`,
      await freePort(),
    )
    const client = new ChatClient(server.url, 'm')
    const work = () => client.ask({ prompt: { system: '', user: '' }, maxTokens: 1 })
    const error: unknown = await whileRunning([server], work).catch((reason: unknown) => reason)
    expect(error)
      .to.be.an('error')
      .with.property('message')
      .that.matches(/ended with 4[^]*out of luck/)
  })
})
