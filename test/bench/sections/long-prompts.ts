/** Prompts of nearly four megabytes that one key sends: what its neighbours notice. */

import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { repository } from '../../support/repository.js'
import { startWorker } from '../adapter/worker.js'
import type { Worker } from '../adapter/worker.js'
import { figuresOf } from '../figures.js'
import type { Figure } from '../figures.js'
import type { PromptsQuestion } from '../guard/long-prompts-server.js'
import { longTexts } from '../guard/long-texts.js'
import { freePort } from '../servers/launch.js'
import type { Section } from './section.js'

const [prompts, length] = [24, 3_900_000]
/** Milliseconds between two requests of a neighbour. */
const gap = 50

interface Round {
  readonly healthz: readonly number[]
  readonly small: readonly number[]
  readonly lag: readonly number[]
  /** Milliseconds until all prompts were answered. */
  readonly total: number
}

type Server = Worker<PromptsQuestion, number[]>

export const longPrompts: Section = async ({ options, say }) => {
  const home = await mkdtemp(join(tmpdir(), 'sallyport-bench-'))
  const env = { BENCH_PORT: String(await freePort()), SALLYPORT_HOME: home }
  const [greedy, other] = [await keyFor('greedy', env), await keyFor('other', env)]
  const server: Server = await startWorker(new URL('../guard/long-prompts-server.js', import.meta.url), env)
  const client = new Client(Number(env.BENCH_PORT))
  const figures: Figure[] = []
  try {
    for (const [name, make] of Object.entries(longTexts)) {
      const rounds: Round[] = []
      for (let round = 0; round < options.rounds; round += 1) {
        rounds.push(await besideLongPrompts(server, client, greedy, other, make(length)))
        say(`long-prompts, ${name}, round ${round + 1}: ${((rounds.at(-1)?.total ?? 0) / 1000).toFixed(1)} s`)
      }
      figures.push(...figuresOfRounds(name, rounds))
    }
    const [memory = NaN] = await server.ask('memory')
    figures.push(figuresOf('long-prompts')('rss-peak', 'sallyport', 'MB', [memory / 1e6]))
  } finally {
    client.close()
    await server.stop()
    await rm(home, { recursive: true, force: true })
  }
  return figures
}

const figuresOfRounds = (name: string, rounds: readonly Round[]): Figure[] => {
  const figure = figuresOf('long-prompts')
  const note = `${prompts} prompts of ${length / 1e6} MB of ${name} at the same time`
  const of = (measure: string, value: (round: Round) => number) =>
    figure(`${measure}-${name}`, 'sallyport', 'ms', rounds.map(value), { note })
  return [
    of('lag-max', ({ lag: [most = NaN] }) => most),
    of('lag-p99', ({ lag: [, p99 = NaN] }) => p99),
    of('healthz-max', ({ healthz }) => Math.max(...healthz)),
    of('small-p99', ({ small }) => percentile99(small)),
    of('answered', ({ total }) => total),
  ]
}

const percentile99 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? NaN

const besideLongPrompts = async (
  server: Server,
  client: Client,
  greedy: string,
  other: string,
  prompt: string,
): Promise<Round> => {
  // made once: what the client takes for that would be measured
  const [long, short] = [chatBody(prompt), chatBody(small)]
  await client.chat(other, short)
  await server.ask('watch')
  let running = true
  const repeated = async (ask: () => Promise<number>): Promise<number[]> => {
    const times: number[] = []
    while (running) {
      times.push(await ask())
      await sleep(gap)
    }
    return times
  }
  const neighbours = Promise.all([repeated(() => client.health()), repeated(() => client.chat(other, short))])
  const started = performance.now()
  await Promise.all(Array.from({ length: prompts }, () => client.chat(greedy, long)))
  const total = performance.now() - started
  running = false
  const [healthz, smalls] = await neighbours
  return { healthz, small: smalls, lag: await server.ask('lag'), total }
}

const small = 'My name is Jane, and my address is jane@example.com: is it open today?'

const chatBody = (content: string): string => JSON.stringify({ model: 'brief', messages: [{ role: 'user', content }] })

/** Tells how many milliseconds an answer took. */
class Client {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: Infinity })

  constructor(private readonly port: number) {}

  health(): Promise<number> {
    return this.timed('GET', '/healthz')
  }

  chat(key: string, body: string): Promise<number> {
    return this.timed('POST', '/chat/completions', key, body)
  }

  close(): void {
    this.agent.destroy()
  }

  /** @throws for any answer but 200 */
  private timed(method: string, path: string, key = '', body = ''): Promise<number> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const { agent, port } = this
    const started = performance.now()
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, method, agent, headers }, (response) => {
        text(response).then((answer) => {
          if (response.statusCode === 200) resolve(performance.now() - started)
          else reject(new Error(`${path}: ${response.statusCode ?? 0} ${answer.slice(0, 200)}`))
        }, reject)
      })
      sent.on('error', reject).end(body)
    })
  }
}

const run = promisify(execFile)

const keyFor = async (name: string, env: Readonly<Record<string, string>>): Promise<string> => {
  const program = join(repository, 'core/cli/bin/sallyport.mjs')
  const config = join(repository, 'config/guarded.yaml')
  const args = [program, 'keys', 'create', '--name', name, '--config', config]
  const { stdout } = await run(process.execPath, args, { env: { ...process.env, ...env } })
  return stdout.trim()
}
