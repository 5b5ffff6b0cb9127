import { Worker } from 'node:worker_threads'
import { failure } from '@sallyport/core'
import type { RenderReply, RenderSetup, TemplateVariables } from './render-protocol.js'
import { threadTime } from './thread-time.js'

export interface RendererOptions {
  /** For messages. */
  readonly model: string
  readonly template: string
  /** Milliseconds of work for one rendering. Default: 200. */
  readonly patience?: number
}

const longestTemplate = 256 * 1024
const longestOutput = 4 * 1024 * 1024
const defaultPatience = 200
/** Where the cores are busy, the work may take so many times longer. */
const busyFactor = 10
/** The thread has to start and read the template, perhaps on a busy machine. */
const startPatience = 10_000
const memory = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 }

/**
 * Renders a chat template in a thread with bounded time and memory; a thread that exceeds them is replaced. One
 * rendering at a time.
 */
export class Renderer {
  private thread: Promise<RenderThread> | undefined
  private turn: Promise<unknown> = Promise.resolve()

  /** @throws model_invalid when the template is too long */
  constructor(private readonly options: RendererOptions) {
    if (options.template.length > longestTemplate) {
      throw failure('model_invalid', { model: options.model, problem: 'its chat template is longer than 256 KiB' })
    }
  }

  /** Reads the template. @throws model_invalid */
  async start(): Promise<void> {
    await this.ready()
  }

  /** @throws invalid_request when the template objects to the messages or needs too much memory; overloaded when it takes too long */
  render(variables: TemplateVariables): Promise<string> {
    const rendered = this.turn.then(() => this.renderNow(variables))
    this.turn = rendered.catch(() => undefined)
    return rendered
  }

  async stop(): Promise<void> {
    const thread = await this.thread?.catch(() => undefined)
    await thread?.end()
  }

  private async renderNow(variables: TemplateVariables): Promise<string> {
    const thread = await this.ready()
    const reply = await thread.ask(variables, this.options.patience ?? defaultPatience)
    if (reply.type === 'rendered') return reply.text
    if (reply.type !== 'refused') this.replace(thread)
    throw failureOf(reply)
  }

  private replace(thread: RenderThread): void {
    this.thread = undefined
    void thread.end()
  }

  private ready(): Promise<RenderThread> {
    this.thread ??= this.open()
    return this.thread
  }

  private async open(): Promise<RenderThread> {
    const { template, model } = this.options
    const thread = new RenderThread({ template, longestOutput })
    const reply = await thread.next(startPatience)
    if (reply.type === 'ready') return thread
    this.replace(thread)
    const cause = new Error(reply.type === 'broken' ? reply.reason : 'the thread did not start')
    throw failure('model_invalid', { model, problem: 'its chat template cannot be read' }, { cause })
  }
}

type Reply = RenderReply | { readonly type: 'late' } | { readonly type: 'ended' }

const failureOf = (reply: Reply): Error => {
  if (reply.type === 'late') {
    const problem = "the model's chat template took too long over this conversation: try again later"
    return failure('overloaded', { problem }, { retryAfter: 1 })
  }
  const [problem, reason] =
    reply.type === 'refused'
      ? ["the model's chat template does not take this conversation: check the roles and their order", reply.reason]
      : ["the model's chat template needs too much memory for this conversation: shorten it", 'the thread has ended']
  return failure('invalid_request', { field: 'messages', problem }, { cause: new Error(reason) })
}

/** A thread and the one reply that is awaited of it. */
class RenderThread {
  private readonly worker: Worker
  private id: string | undefined
  private settle: ((reply: Reply) => void) | undefined

  constructor(setup: RenderSetup) {
    const url = new URL('./render-worker.js', import.meta.url)
    this.worker = new Worker(url, { workerData: setup, resourceLimits: memory, env: {}, execArgv: [] })
    this.worker.unref()
    this.worker.on('message', (reply: RenderReply) => {
      if (reply.type === 'ready') this.id = reply.thread
      this.settle?.(reply)
    })
    this.worker.on('error', () => this.settle?.({ type: 'ended' }))
    this.worker.on('exit', () => this.settle?.({ type: 'ended' }))
  }

  /** `patience`: milliseconds of work. */
  ask(variables: TemplateVariables, patience: number): Promise<Reply> {
    const enough = threadTime(this.id) + patience
    const latest = performance.now() + patience * busyFactor
    const reply = this.next(patience, () => {
      const missing = Math.min(enough - threadTime(this.id), latest - performance.now())
      return Math.max(0, Math.ceil(missing))
    })
    this.worker.postMessage(variables)
    return reply
  }

  /**
   * The next reply, which is `late` when there is none in time.
   * @param more milliseconds to wait on when the patience is at its end
   */
  next(patience: number, more: () => number = () => 0): Promise<Reply> {
    return new Promise((resolve) => {
      const wait = (milliseconds: number): NodeJS.Timeout => setTimeout(() => setImmediate(expire), milliseconds)
      // the immediate lets a reply in that lay waiting while this thread was busy
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

  async end(): Promise<void> {
    await this.worker.terminate()
  }
}
