import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { failure } from '@sallyport/core'
import type { RenderReply, RenderSetup, TemplateVariables } from './render-protocol.js'
import { processTime } from './process-time.js'

export interface RendererOptions {
  /** For messages. */
  readonly model: string
  /** Where the template is from, for messages. Default: "its chat template". */
  readonly origin?: string
  readonly template: string
  /** Milliseconds of work for one rendering. Default: 200. */
  readonly patience?: number
}

const longestTemplate = 256 * 1024
const longestOutput = 4 * 1024 * 1024
const defaultPatience = 200
/** Where the cores are busy, the work may take so many times longer. */
const busyFactor = 10
/** The process has to start and read the template, perhaps on a busy machine. */
const startPatience = 10_000
/** MB. A process, because a single allocation far over a thread's limit ends the process that the thread is in. */
const memory = ['--max-old-space-size=64', '--max-semi-space-size=4']

/**
 * Renders a chat template in a process with bounded time and memory; one that exceeds them is replaced. One
 * rendering at a time.
 */
export class Renderer {
  private child: Promise<RenderProcess> | undefined
  private turn: Promise<unknown> = Promise.resolve()

  /** @throws model_invalid when the template is too long */
  constructor(private readonly options: RendererOptions) {
    if (options.template.length > longestTemplate) {
      throw this.unusable('is longer than 256 KiB')
    }
  }

  /**
   * Reads the template, and tries it: one of these conversations must come out.
   * @throws model_invalid
   */
  async start(trials: readonly TemplateVariables[] = []): Promise<void> {
    await this.ready()
    let error: Error | undefined
    for (const variables of trials) {
      const failed = await this.tryOn(variables)
      if (!failed) return
      error ??= failed
    }
    if (error) throw error
  }

  /** @throws invalid_request when the template objects to the messages or needs too much memory; overloaded when it takes too long */
  render(variables: TemplateVariables): Promise<string> {
    const rendered = this.turn.then(() => this.renderNow(variables))
    this.turn = rendered.catch(() => undefined)
    return rendered
  }

  private async tryOn(variables: TemplateVariables): Promise<Error | undefined> {
    const reply = await this.ask(variables, startPatience)
    if (reply.type === 'rendered')
      return reply.text === '' ? this.unusable('makes nothing of a conversation') : undefined
    const cause = new Error('reason' in reply ? reply.reason : reply.type)
    const trouble = reply.type === 'late' ? 'takes too long over' : 'fails on'
    return this.unusable(`${trouble} a conversation of one message`, { cause })
  }

  private async ask(variables: TemplateVariables, longest?: number): Promise<Reply> {
    const child = await this.ready()
    const reply = await child.ask(variables, this.options.patience ?? defaultPatience, longest)
    if (reply.type === 'late' || reply.type === 'ended') this.replace(child)
    return reply
  }

  private unusable(problem: string, extra?: { readonly cause: Error }): Error {
    const { model, origin = 'its chat template' } = this.options
    const advice = 'set the option chatTemplate of the model to one that works'
    return failure('model_invalid', { model, problem: `${origin} ${problem}: ${advice}` }, extra)
  }

  async stop(): Promise<void> {
    const child = await this.child?.catch(() => undefined)
    await child?.end()
  }

  private async renderNow(variables: TemplateVariables): Promise<string> {
    const reply = await this.ask(variables)
    if (reply.type === 'rendered') return reply.text
    throw failureOf(reply)
  }

  private replace(child: RenderProcess): void {
    this.child = undefined
    void child.end()
  }

  /** One that has ended since, whoever ended it, is replaced. */
  private async ready(): Promise<RenderProcess> {
    const child = await this.child
    if (child && !child.isGone) return child
    this.child = this.open()
    return this.child
  }

  private async open(): Promise<RenderProcess> {
    const child = new RenderProcess({ template: this.options.template, longestOutput })
    const reply = await child.next(startPatience)
    if (reply.type === 'ready') return child
    this.replace(child)
    const cause = new Error(reply.type === 'broken' ? reply.reason : 'the process did not start')
    throw this.unusable('cannot be read', { cause })
  }
}

type Reply = RenderReply | { readonly type: 'late' } | { readonly type: 'ended' }

const failureOf = (reply: Reply): Error => {
  if (reply.type === 'late') {
    const problem = "the model's chat template took too long over this conversation: try again later"
    return failure('overloaded', { problem }, { retryAfter: 1 })
  }
  const [problem, reason] = objectionOf(reply)
  return failure('invalid_request', { field: 'messages', problem }, { cause: new Error(reason) })
}

const objectionOf = (reply: Reply): [problem: string, reason: string] => {
  if (reply.type === 'refused')
    return ["the model's chat template does not take this conversation: check the roles and their order", reply.reason]
  return reply.type === 'oversized'
    ? ["the model's chat template makes too long a text of this conversation: shorten it", 'the output is too long']
    : ["the model's chat template needs too much memory for this conversation: shorten it", 'the process has ended']
}

/** A process and the one reply that is awaited of it. */
class RenderProcess {
  private readonly child: ChildProcess
  private readonly ended: Promise<void>
  /** It takes no more messages. */
  isGone = false
  private settle: ((reply: Reply) => void) | undefined

  constructor(setup: RenderSetup) {
    const url = new URL('./render-process.js', import.meta.url)
    this.child = fork(url, {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: {},
      execArgv: memory,
    })
    this.child.unref()
    this.child.channel?.unref()
    this.child.on('message', (reply: RenderReply) => this.settle?.(reply))
    this.ended = new Promise((resolve) => {
      const end = () => {
        this.isGone = true
        this.settle?.({ type: 'ended' })
        resolve()
      }
      this.child.on('error', end)
      this.child.on('exit', end)
    })
    this.send(setup)
  }

  /** @param patience milliseconds of work, which may take as long as `longest` on the clock where the cores are busy */
  ask(variables: TemplateVariables, patience: number, longest = patience * busyFactor): Promise<Reply> {
    const enough = processTime(this.child.pid) + patience
    const latest = performance.now() + longest
    const reply = this.next(patience, () => {
      const missing = Math.min(enough - processTime(this.child.pid), latest - performance.now())
      return Math.max(0, Math.ceil(missing))
    })
    this.send(variables)
    return reply
  }

  /**
   * The next reply, which is `late` when there is none in time.
   * @param more milliseconds to wait on when the patience is at its end
   */
  next(patience: number, more: () => number = () => 0): Promise<Reply> {
    return new Promise((resolve) => {
      const wait = (milliseconds: number): NodeJS.Timeout => setTimeout(() => setImmediate(expire), milliseconds)
      // the immediate lets a reply in that lay waiting while this process was busy
      const expire = () => {
        if (this.settle !== settle) return
        const milliseconds = more()
        if (milliseconds > 0) timer = wait(milliseconds)
        else settle({ type: 'late' })
      }
      let timer = wait(patience)
      const settle = (reply: Reply) => {
        this.settle = undefined
        clearTimeout(timer)
        resolve(reply)
      }
      this.settle = settle
    })
  }

  end(): Promise<void> {
    // or the event loop could end before the process has
    if (!this.isGone) this.child.ref()
    this.child.kill('SIGKILL')
    return this.ended
  }

  /** One that has ended is noticed by its end. */
  private send(message: RenderSetup | TemplateVariables): void {
    if (this.child.connected) this.child.send(message, () => undefined)
  }
}
