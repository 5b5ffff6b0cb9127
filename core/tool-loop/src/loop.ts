/** A conversation in which a model calls remote tools, until it answers, calls a function of the caller, or may not go on. */

import { isSallyportError } from '@sallyport/core'
import type {
  ChatCapability,
  ChatMessage,
  ChatRequest,
  ToolCall,
  ToolChoice,
  Usage,
  ErrorCode,
  CallOptions,
  Served,
} from '@sallyport/core'
import { sumUsage } from '@sallyport/kit/generation'
import type { LoopEnd, LoopLimit, ToolLoopEvent } from './events.js'
import { toolLoopLimits } from './limits.js'
import type { ToolLoopLimits } from './limits.js'
import type { ToolOffer } from './offer.js'
import { CallPlanner } from './plan.js'
import { ResultRoom } from './result-room.js'
import { runCalls } from './run-calls.js'
import { Step } from './step.js'
import { TimeLimit } from './time-limit.js'

export interface ToolLoop {
  /** What the kernel serves: every step is guarded. */
  readonly chat: Pick<Served<ChatCapability>, 'stream'>
  readonly offer: ToolOffer
  /** `maxTokens` is for all steps together; names of its `toolChoice` are those of the offer. */
  readonly request: Omit<ChatRequest, 'tools' | 'n'>
  readonly limits?: Partial<ToolLoopLimits>
}

/**
 * Asks the model, makes the remote calls that it asks for, asks again. Tools that fail, and calls that cannot be made,
 * are results that the model reads. Nothing is left running when it ends, is aborted or is no longer read.
 * @throws what the model's service throws, and the reason of the signal; never for a limit
 */
export async function* runToolLoop(loop: ToolLoop, options: CallOptions = {}): AsyncGenerator<ToolLoopEvent> {
  const limits = { ...toolLoopLimits, ...loop.limits }
  const time = new TimeLimit(loop.offer.hasRemote ? limits.time : undefined, options.signal)
  try {
    yield* new RunningLoop(loop, limits, time, options).events()
  } finally {
    time.end()
  }
}

class RunningLoop {
  /** What has come behind the messages of the request. */
  private readonly messages: ChatMessage[] = []
  private readonly usages: (Usage | undefined)[] = []
  private readonly room: ResultRoom
  private readonly planner: CallPlanner
  private readonly ids: Set<string>
  /** What is the same in every step. */
  private readonly asked: Omit<ChatRequest, 'tools' | 'toolChoice' | 'parallelToolCalls' | 'maxTokens'>
  private readonly firstChoice: ToolChoice | undefined
  private readonly parallel: boolean | undefined
  private tokensLeft: number | undefined

  constructor(
    private readonly loop: ToolLoop,
    private readonly limits: ToolLoopLimits,
    private readonly time: TimeLimit,
    private readonly options: CallOptions,
  ) {
    const { toolChoice, parallelToolCalls, maxTokens, ...asked } = loop.request
    this.asked = asked
    this.firstChoice = toolChoice
    this.parallel = parallelToolCalls
    this.tokensLeft = maxTokens
    this.room = new ResultRoom(limits)
    this.planner = new CallPlanner(loop.offer, limits, this.room)
    this.ids = new Set(asked.messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id)))
  }

  async *events(): AsyncGenerator<ToolLoopEvent> {
    for (let step = 0; ; step += 1) {
      const choice = this.choiceOf(step)
      const answer = new Step((name) => choice !== 'none' && this.loop.offer.isCallers(name), this.ids)
      const limit = (yield* this.ask(step, choice, answer)) ?? limitOf(answer)
      this.count(answer)
      const end = limit ? this.cutOff(answer, limit) : yield* this.follow(step, choice, answer)
      if (!end) continue
      const usage = sumUsage(this.usages)
      yield { type: 'end', end, ...(usage ? { usage } : {}), messages: this.messages }
      return
    }
  }

  /** What forces a call forces the first one only: the model would never come to answer. */
  private choiceOf(step: number): ToolChoice | undefined {
    if (this.withoutTools) return 'none'
    if (step === 0 || this.firstChoice === 'none') return this.firstChoice
    return this.firstChoice && 'auto'
  }

  private requestOf(choice: ToolChoice | undefined): ChatRequest {
    const { tools } = this.loop.offer
    const messages = [...this.asked.messages, ...this.messages]
    const budget = this.tokensLeft === undefined ? {} : { maxTokens: this.tokensLeft }
    if (!tools.length) return { ...this.asked, ...budget, messages }
    return {
      ...this.asked,
      ...budget,
      messages,
      tools,
      ...(choice === undefined ? {} : { toolChoice: choice }),
      ...(this.parallel === undefined ? {} : { parallelToolCalls: this.parallel }),
    }
  }

  private async *ask(
    step: number,
    choice: ToolChoice | undefined,
    answer: Step,
  ): AsyncGenerator<ToolLoopEvent, LoopLimit | undefined> {
    try {
      const options = { ...this.options, signal: this.time.signal }
      for await (const next of this.loop.chat.stream(this.requestOf(choice), options)) {
        const chunk = answer.take(next)
        if (chunk) yield { type: 'chunk', step, chunk }
      }
      return undefined
    } catch (error) {
      if (this.time.isOver) return 'time'
      const limit = isSallyportError(error) ? this.limitBehind(error.code, step) : undefined
      if (!limit) throw error
      return limit
    }
  }

  /** The limit behind an error of the model: what tools did stays done, and the caller is to hear of it. */
  private limitBehind(code: ErrorCode, step: number): LoopLimit | undefined {
    if (code === 'invalid_output' && this.withoutTools) return 'calls'
    if (step === 0) return undefined
    if (code === 'context_exceeded') return 'context'
    return code === 'invalid_output' ? code : undefined
  }

  /** Whether the model must answer without the tools that there are. */
  private get withoutTools(): boolean {
    return this.planner.exhausted && this.loop.offer.hasRemote
  }

  private count(answer: Step): void {
    const usage = answer.finish?.usage
    this.usages.push(usage)
    if (this.tokensLeft === undefined) return
    this.tokensLeft -= usage?.completionTokens ?? Math.ceil(answer.length / charactersPerToken)
  }

  /** The calls of an answer that was cut off may be cut off, too: they are no part of the conversation. */
  private cutOff(answer: Step, limit: LoopLimit): LoopEnd {
    if (answer.length) this.messages.push(answer.message([]))
    return { reason: 'incomplete', limit }
  }

  /** Undefined where the model is to be asked again. */
  private async *follow(
    step: number,
    choice: ToolChoice | undefined,
    answer: Step,
  ): AsyncGenerator<ToolLoopEvent, LoopEnd | undefined> {
    const calls = choice === 'none' ? [] : answer.toolCalls
    if (!calls.length) return this.answered(answer)
    const isCallers = ({ name }: ToolCall) => this.loop.offer.isCallers(name)
    const functions = calls.filter(isCallers)
    const stop = functions.length ? undefined : this.stopAfter(step)
    this.messages.push(answer.message(calls))
    yield* this.callRemotes(
      calls.filter((call) => !isCallers(call)),
      step,
      stop,
    )
    if (functions.length) return { reason: 'functions', functions }
    const limit = stop?.limit ?? (this.planner.repeated ? 'repeated' : this.time.isOver ? 'time' : undefined)
    return limit && { reason: 'incomplete', limit }
  }

  private answered(answer: Step): LoopEnd {
    this.messages.push(answer.message([]))
    const hasNothing = !answer.text && this.withoutTools
    return hasNothing ? { reason: 'incomplete', limit: 'calls' } : { reason: 'answered' }
  }

  /** Why the model is not asked again after this step, and what it would be told of its calls. */
  private stopAfter(step: number): { readonly limit: LoopLimit; readonly refusal: string } | undefined {
    const { steps } = this.limits
    if (step + 1 >= steps) return { limit: 'steps', refusal: `not called: the limit of ${steps} steps is reached` }
    if (this.tokensLeft !== undefined && this.tokensLeft <= 0)
      return { limit: 'tokens', refusal: 'not called: no tokens are left for an answer' }
    return undefined
  }

  private async *callRemotes(
    calls: readonly ToolCall[],
    step: number,
    stop: { readonly refusal: string } | undefined,
  ): AsyncGenerator<ToolLoopEvent> {
    const { limits, room, time, options } = this
    const plans = calls.map((call) => this.planner.plan(call, stop?.refusal))
    const atOnce = this.parallel === false ? 1 : limits.callsAtOnce
    const outcomes = yield* runCalls(plans, { step, atOnce, limits, room, time, options })
    for (const [index, outcome] of outcomes.entries())
      this.messages.push({ role: 'tool', content: outcome.output, toolCallId: calls[index]?.id ?? '' })
  }
}

/** Where the backend counts nothing: a common estimate for English text. */
const charactersPerToken = 4

const limitOf = ({ finish }: Step): LoopLimit | undefined => {
  if (finish?.finish === 'length') return 'tokens'
  return finish?.finish === 'content_filter' ? 'content_filter' : undefined
}
