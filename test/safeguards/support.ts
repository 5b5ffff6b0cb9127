/** Servers with the detectors of our own packages, and what tests ask of them. */

import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startServer } from '../support/server.js'
import type { RunningServer } from '../support/server.js'

const echoPlugin = fileURLToPath(new URL('../support/echo-plugin.js', import.meta.url))

export interface Setup {
  /** Milliseconds before each word of an answer. */
  readonly delay?: number
  readonly plugins?: readonly string[]
  readonly models: object
  /** Further sections. */
  readonly sections?: object
}

/** A server with the models of the echo plugin and these. */
export const serverWith = async ({
  delay = 0,
  plugins = ['@sallyport/onnx', '@sallyport/pii', '@sallyport/guards'],
  models,
  sections = {},
}: Setup): Promise<RunningServer> => {
  const directory = await mkdtemp(join(tmpdir(), 'sallyport-safeguards-'))
  const file = join(directory, 'config.json')
  const all = ['@sallyport/koa', { use: echoPlugin, options: { delay } }, ...plugins]
  await writeFile(file, JSON.stringify({ plugins: all, models, ...sections }))
  const remove = () => rm(directory, { recursive: true, force: true })
  const server = await startServer(file).catch(async (error: unknown) => {
    await remove()
    throw error
  })
  const stop = async () => {
    try {
      await server.stop()
    } finally {
      await remove()
    }
  }
  return { ...server, stop }
}

/** Of patterns and of models. */
export const detectors = {
  pii: { backend: 'pii', options: { model: 'rampart' } },
  rampart: { backend: 'onnx' },
  guard: { backend: 'onnx' },
  injection: { backend: 'injection', options: { model: 'guard' } },
  toxicity: { backend: 'toxicity' },
  factuality: { backend: 'factuality' },
}

/** The process of a model: its last argument is the model's id. */
export const processOf = ({ child }: RunningServer, model: string): number => {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n')
  for (const line of lines) {
    const [, pid, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    if (Number(parent) === child.pid && command.trimEnd().endsWith(` ${model}`)) return Number(pid)
  }
  throw new Error(`no process of the model ${model} runs`)
}

/** Asks again until the answer is the wanted one. @throws Error with the last one after 60 s */
export const eventually = async (
  ask: () => Promise<Response>,
  isWanted: (status: number, text: string) => boolean,
): Promise<string> => {
  const until = Date.now() + 60_000
  for (;;) {
    const response = await ask()
    const text = await response.text()
    if (isWanted(response.status, text)) return text
    if (Date.now() > until) throw new Error(`the last answer was ${response.status}: ${text.slice(0, 300)}`)
    await sleep(250)
  }
}

/** An answer that is streamed, event by event. */
export class Events {
  /** The data of the events so far. */
  readonly data: string[] = []
  private rest = ''
  private coming: Promise<boolean> | undefined

  constructor(private readonly body: AsyncIterator<Uint8Array>) {}

  static of(response: Response): Events {
    if (!response.body) throw new Error(`no body: ${response.status}`)
    return new Events(response.body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>)
  }

  /** Reads on until there are so many, or until the end. */
  async read(count = Infinity): Promise<void> {
    while (this.data.length < count && (await this.next()));
  }

  /** Reads on until nothing has come for so many milliseconds, or until the end. */
  async readUntilQuiet(milliseconds: number): Promise<void> {
    while (await Promise.race([this.next(), sleep(milliseconds, false)]));
  }

  /** Reads what comes next; false at the end. */
  private next(): Promise<boolean> {
    this.coming ??= this.readPart().finally(() => (this.coming = undefined))
    return this.coming
  }

  private async readPart(): Promise<boolean> {
    const next = await this.body.next()
    if (next.done) return false
    const blocks = (this.rest + Buffer.from(next.value).toString()).split('\n\n')
    this.rest = blocks.pop() ?? ''
    this.data.push(...blocks.flatMap((block) => (block.startsWith('data: ') ? [block.slice(6)] : [])))
    return true
  }

  /** What was said, of chat and of text completion. */
  get text(): string {
    return this.data
      .filter((data) => data !== '[DONE]')
      .flatMap((data) => (JSON.parse(data) as { choices?: Choice[] }).choices ?? [])
      .map(({ delta, text }) => delta?.content ?? text ?? '')
      .join('')
  }

  get last(): unknown {
    const last = this.data.at(-1)
    return last === undefined || last === '[DONE]' ? last : (JSON.parse(last) as unknown)
  }
}

interface Choice {
  readonly delta?: { readonly content?: string }
  readonly text?: string
}
