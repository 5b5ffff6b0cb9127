import { failure } from '@sallyport/core'
import { Slots } from '@sallyport/kit/async'
import type { Requester } from '@sallyport/kit/async'
import { RenderChild } from './render-child.js'
import type { Reply } from './render-child.js'
import type { TemplateVariables } from './render-protocol.js'

export interface RendererOptions {
  /** The model's id, for messages. */
  readonly model: string
  /** The template's origin, for messages. Default: "its chat template". */
  readonly origin?: string
  readonly template: string
  /** The maximum number of renderings that wait for their turn. Default: 64. */
  readonly queue?: number
  /** Milliseconds of processor time for one rendering. Default: 200. */
  readonly cpuTime?: number
}

const maxTemplateLength = 256 * 1024
const maxOutputLength = 4 * 1024 * 1024
const defaultQueue = 64
const defaultCpuTime = 200
/** Milliseconds to start the process and compile the template, perhaps on a busy machine. */
const startTimeout = 10_000

/** Renders a chat template in a process, which is replaced when it exceeds its time or memory. */
export class Renderer {
  private child: RenderChild | undefined
  private readonly turns: Slots
  private readonly stopping = new AbortController()

  /** @throws model_invalid when the template is too long */
  constructor(private readonly options: RendererOptions) {
    if (options.template.length > maxTemplateLength) throw this.invalidTemplate('is longer than 256 KiB')
    this.turns = new Slots(1, options.queue ?? defaultQueue)
  }

  /**
   * Compiles the template and tries it: one of these conversations must render.
   * @throws model_invalid; overloaded or model_unavailable when the process cannot be started
   */
  start(trials: readonly TemplateVariables[] = []): Promise<void> {
    return this.turns.run(anonymousRequester(), async () => {
      await this.ready()
      let error: Error | undefined
      for (const variables of trials) {
        const failed = await this.tryTemplate(variables)
        if (!failed) return
        error ??= failed
      }
      if (error) throw error
    })
  }

  /**
   * Renders a conversation, in turns of the tenants.
   * @throws invalid_request when the template objects to the messages or needs too much memory; overloaded when it
   * takes too long or too many wait; model_unavailable when the process cannot be started; the signal's reason
   */
  render(variables: TemplateVariables, requester: Requester): Promise<string> {
    return this.turns.run(requester, async () => {
      const reply = await this.ask(variables)
      if (reply.type === 'rendered') return reply.text
      throw failureOf(reply)
    })
  }

  /** Renders a conversation; undefined where the template refuses it or takes too long. */
  attempt(variables: TemplateVariables): Promise<string | undefined> {
    return this.turns.run(anonymousRequester(), async () => {
      const reply = await this.ask(variables, startTimeout)
      return reply.type === 'rendered' ? reply.text : undefined
    })
  }

  /** Fails what is unfinished. */
  async stop(): Promise<void> {
    this.stopping.abort(failure('not_ready', { state: 'draining' }))
    await this.child?.end()
  }

  private async tryTemplate(variables: TemplateVariables): Promise<Error | undefined> {
    const reply = await this.ask(variables, startTimeout)
    if (reply.type === 'rendered')
      return reply.text === '' ? this.invalidTemplate('makes nothing of a conversation') : undefined
    const problem = reply.type === 'late' ? 'takes too long over' : 'fails on'
    return this.invalidTemplate(`${problem} a conversation of one message`, { cause: causeOf(reply) })
  }

  /** Asks again where the process has ended: only a conversation that ends a second process, too, is to blame. */
  private async ask(variables: TemplateVariables, maxMilliseconds?: number): Promise<Reply> {
    const reply = await this.askOnce(variables, maxMilliseconds)
    return reply.type === 'ended' ? this.askOnce(variables, maxMilliseconds) : reply
  }

  private async askOnce(variables: TemplateVariables, maxMilliseconds?: number): Promise<Reply> {
    const child = await this.ready()
    const reply = await child.ask(variables, this.options.cpuTime ?? defaultCpuTime, maxMilliseconds)
    if (reply.type === 'late' || reply.type === 'ended') this.discard(child)
    return reply
  }

  private async ready(): Promise<RenderChild> {
    this.stopping.signal.throwIfAborted()
    if (this.child && !this.child.isGone) return this.child
    const child = this.open()
    this.child = child
    const reply = await child.next(startTimeout)
    if (reply.type === 'ready') return child
    this.discard(child)
    this.stopping.signal.throwIfAborted()
    throw reply.type === 'broken'
      ? this.invalidTemplate('cannot be read', { cause: new Error(reply.reason) })
      : this.startFailure(reply)
  }

  private open(): RenderChild {
    try {
      return new RenderChild({ template: this.options.template, maxOutputLength })
    } catch (cause) {
      throw this.startFailure({ type: 'ended' }, { cause })
    }
  }

  private discard(child: RenderChild): void {
    this.child = undefined
    void child.end()
  }

  /** The error for a process that did not start, which is not the fault of the template. */
  private startFailure({ type }: Reply, extra: { readonly cause?: unknown } = {}): Error {
    const { model } = this.options
    if (type === 'late') {
      const problem = `the process for the chat template of the model ${model} is slow to start: try again later`
      return failure('overloaded', { problem }, { retryAfter: 1 })
    }
    const problem = 'the process for its chat template could not be started'
    return failure('model_unavailable', { model, problem }, { retryAfter: 1, ...extra })
  }

  private invalidTemplate(problem: string, extra?: { readonly cause: Error }): Error {
    const { model, origin = 'its chat template' } = this.options
    const advice = 'set the option chatTemplate of the model to one that works'
    return failure('model_invalid', { model, problem: `${origin} ${problem}: ${advice}` }, extra)
  }
}

/** Trials during loading belong to no request. */
const anonymousRequester = (): Requester => ({ tenant: '', signal: new AbortController().signal })

const causeOf = (reply: Reply): Error => new Error('reason' in reply ? reply.reason : reply.type)

const problems: Partial<Record<Reply['type'], string>> = {
  late: 'took too long over this conversation: try again later',
  refused: 'does not take this conversation: check the roles and their order',
  oversized: 'makes too long a text of this conversation: shorten it',
  ended: 'needs too much memory for this conversation: shorten it',
}

const failureOf = (reply: Reply): Error => {
  const problem = `the model's chat template ${problems[reply.type] ?? 'fails'}`
  if (reply.type === 'late') return failure('overloaded', { problem }, { retryAfter: 1 })
  return failure('invalid_request', { field: 'messages', problem }, { cause: causeOf(reply) })
}
