import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { later, until } from '@sallyport/stand-ins/promises'
import { expect } from 'chai'
import { signerOf } from '../../src/audit/signature.js'
import { verifyLog } from '../../src/audit/verify.js'
import { KeyStore } from '../../src/index.js'
import { linesIn, useDirectory } from './support.js'

const program = fileURLToPath(new URL('killed-server.js', import.meta.url))

/** A server that has loaded its modules. */
const load = async (home: string, sync: boolean): Promise<ChildProcess> => {
  const child = fork(program, [home, sync ? 'sync' : ''], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  await once(child, 'message')
  return child
}

const urlOf = async (server: ChildProcess): Promise<string> => {
  const started = once(server, 'message') as Promise<[string]>
  server.send('start')
  return (await started)[0]
}

/** Resolves with whether the last byte of the answer came. */
const ask = (url: string, id: string, key: string, agent: Agent): Promise<boolean> =>
  new Promise((resolve) => {
    const body = JSON.stringify({ model: 'speaker', messages: 'hi', stream: id.endsWith('3') })
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-request-id': id }
    const asked = request(`${url}/v1/chat/completions`, { method: 'POST', agent, headers }, (answer) => {
      answer.on('error', () => undefined).resume()
      answer.once('close', () => resolve(answer.complete))
    })
    asked.once('error', () => resolve(false)).end(body)
  })

describe('an audit log of a server that is killed under load', function () {
  this.timeout(600_000)
  const directory = useDirectory()

  for (const [sync, kills] of [
    [false, 40],
    [true, 10],
  ] as const)
    it(`has both lines of every request whose last byte came, at ${kills} points, ${sync ? 'synced' : 'not synced'}`, async () => {
      const home = directory.path
      const keys = new KeyStore(home)
      const { key } = keys.create({ name: 'test' })
      const complete: string[] = []
      let [cut, next] = [0, load(home, sync)]
      for (let round = 0; round < kills; round += 1) {
        const server = await next
        const url = await urlOf(server)
        const agent = new Agent({ keepAlive: true })
        const died = once(server, 'exit')
        let count = 0
        const clients = Array.from({ length: 8 }, async () => {
          while (server.signalCode === null) {
            const id = `r${round}-${(count += 1)}`
            // The eighth part has a wrong key, and is refused.
            if (await ask(url, id, count % 8 ? key : 'sp-wrong', agent)) complete.push(id)
            else cut += 1
          }
        })
        // Its first answers take longer than all others.
        const before = complete.length
        await until(() => complete.length >= before + 8)
        if (round + 1 < kills) next = load(home, sync)
        await later(undefined, Math.random() * 150)
        server.kill('SIGKILL')
        await died
        await Promise.all(clients)
        agent.destroy()
      }
      const path = join(home, 'audit')
      const kinds = new Map<string, string>()
      for (const { request: id, kind } of linesIn(path).filter(({ request: each }) => each !== undefined))
        kinds.set(String(id), `${kinds.get(String(id)) ?? ''} ${kind}`)
      expect(complete.length).to.be.above(kills * 8)
      expect(cut).to.be.above(kills / 2)
      for (const id of complete) expect(kinds.get(id), id).to.match(/^ (?:admitted ended|refused)$/)
      await verifyLog(path, { publicKey: signerOf(keys).publicKey })
    })
})
