import { expect } from 'chai'
import { freePort, launch } from '../bench/servers/launch.js'
import { treeMemory } from '../bench/servers/process-memory.js'

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
    expect(treeMemory(server.pid).server).to.be.above(10e6)
    expect(treeMemory(process.pid).children).to.be.at.least(treeMemory(server.pid).server / 2)
    await server.stop()
    expect(treeMemory(server.pid)).to.deep.equal({ server: 0, children: 0 })
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
})
