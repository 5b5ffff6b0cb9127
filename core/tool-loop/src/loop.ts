import { isSallyportError, Vault } from '@sallyport/core'
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
import { TimeLimit } from '@sallyport/kit/async'
import { usageOfRequests } from '@sallyport/kit/generation'
import type { LoopEnd, LoopLimit, ToolLoopEvent } from './events.js'
import { toolLoopLimits } from './limits.js'
import type { ToolLoopLimits } from './limits.js'
import type { ToolOffer } from './offer.js'
import { CallPlanner } from './call-planner.js'
import { ResultBudget } from './result-budget.js'
import { runCalls } from './run-calls.js'
import { StepAnswer } from './step-answer.js'

export interface ToolLoop {
  /** The kernel's service, so that every step is guarded. */
  readonly chat: Pick<Served<ChatCapability>, 'stream'>
  readonly offer: ToolOffer
  /** `maxTokens` counts for all steps together; the names in `toolChoice` are those of the offer. */
  readonly request: Omit<ChatRequest, 'tools' | 'n'>
  readonly limits?: Partial<ToolLoopLimits>
}

/**
 * Asks the model, makes the remote calls that it requests, and asks again, until it answers, calls a function of the
 * caller or meets a limit. Tools that fail, and calls that cannot be made, become results that the model reads. Nothing
 * keeps running after the loop ends, is aborted or is no longer read.
 * @throws what the model's service throws, and the reason of the signal; limits are events, not errors
 */
export async function* runToolLoop(loop: ToolLoop, options: CallOptions = {}): AsyncGenerator<ToolLoopEvent> {
  const limits = { ...toolLoopLimits, ...loop.limits }
  const time = new TimeLimit(options.signal, {
    total: loop.offer.hasRemote ? limits.time : undefined,
    reason: () => new Error('the time of the tool loop is over'),
  })
  try {
    yield* new RunningLoop(loop, limits, time, { vault: new Vault(), ...options }).events()
  } finally {
    time.end(new Error('the tool loop has ended'))
  }
}

class RunningLoop {
  /** The messages that the loop has added to those of the request. */
  private readonly messages: ChatMessage[] = []
  private readonly usages: (Usage | undefined)[] = []
  private readonly resultBudget: ResultBudget
  private readonly planner: CallPlanner
  private readonly ids: Set<string>
  private tokensLeft: number | undefined

  constructor(
    private readonly loop: ToolLoop,
    private readonly limits: ToolLoopLimits,
    private readonly time: TimeLimit,
    private readonly options: CallOptions,
  ) {
    this.tokensLeft = loop.request.maxTokens
    this.resultBudget = new ResultBudget(limits)
    this.planner = new CallPlanner(loop.offer, limits, this.resultBudget)
    this.ids = new Set(loop.request.messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id)))
  }

  async *events(): AsyncGenerator<ToolLoopEvent> {
    for (let step = 0; ; step += 1) {
      const choice = this.choiceOf(step)
      const answer = new StepAnswer((name) => choice !== 'none' && this.loop.offer.isCallerFunction(name), this.ids)
      const limit = (yield* this.ask(step, choice, answer)) ?? limitOf(answer)
      this.countTokens(answer)
      const end = limit ? this.endIncomplete(answer, limit) : yield* this.handleCalls(step, choice, answer)
      if (!end) continue
      const usage = usageOfRequests(this.usages)
      yield { type: 'end', end, ...(usage ? { usage } : {}), messages: this.messages }
      return
    }
  }

  /** A forced call is forced only in the first step, or the model would never answer. */
  private choiceOf(step: number): ToolChoice | undefined {
    if (this.mustAnswer) return 'none'
    const { toolChoice } = this.loop.request
    return step === 0 || toolChoice === 'none' ? toolChoice : toolChoice && 'auto'
  }

  private requestOf(choice: ToolChoice | undefined): ChatRequest {
    const { offer, request } = this.loop
    const { toolChoice: _, parallelToolCalls, ...rest } = request
    return {
      ...rest,
      messages: [...rest.messages, ...this.messages],
      ...(this.tokensLeft !== undefined && { maxTokens: this.tokensLeft }),
      ...(offer.tools.length > 0 && {
        tools: offer.tools,
        ...(choice !== undefined && { toolChoice: choice }),
        ...(parallelToolCalls !== undefined && { parallelToolCalls }),
      }),
    }
  }

  private async *ask(
    step: number,
    choice: ToolChoice | undefined,
    answer: StepAnswer,
  ): AsyncGenerator<ToolLoopEvent, LoopLimit | undefined> {
    try {
      const options = { ...this.options, signal: this.time.signal, remoteTools: this.loop.offer.servers }
      for await (const next of this.loop.chat.stream(this.requestOf(choice), options)) {
        const chunk = answer.take(next)
        if (chunk) yield { type: 'chunk', step, chunk }
      }
      return undefined
    } catch (error) {
      if (this.time.exceeded !== undefined) return 'time'
      const limit = isSallyportError(error) ? this.limitFor(error.code, step) : undefined
      if (!limit) throw error
      return limit
    }
  }

  /**
   * The limit at which the loop ends because of an error of the model, if any. After tool calls these errors are
   * limits, so that the events of the calls are not lost.
   */
  private limitFor(code: ErrorCode, step: number): LoopLimit | undefined {
    if (code === 'invalid_output' && this.mustAnswer) return 'calls'
    if (step === 0) return undefined
    if (code === 'context_exceeded') return 'context'
    return code === 'invalid_output' ? code : undefined
  }

  /** Whether the model must answer without tools, since no more remote calls may be made. */
  private get mustAnswer(): boolean {
    return this.planner.exhausted && this.loop.offer.hasRemote
  }

  private countTokens(answer: StepAnswer): void {
    const usage = answer.finish?.usage
    this.usages.push(usage)
    if (this.tokensLeft === undefined) return
    this.tokensLeft -= usage?.completionTokens ?? Math.ceil(answer.length / charactersPerToken)
  }

  /** Ends at a limit. The calls of a truncated answer may be truncated, too: they do not join the conversation. */
  private endIncomplete(answer: StepAnswer, limit: LoopLimit): LoopEnd {
    if (answer.length) this.messages.push(answer.message([]))
    return { reason: 'incomplete', limit }
  }

  /** Makes the calls of an answer. @returns undefined if the model is to be asked again */
  private async *handleCalls(
    step: number,
    choice: ToolChoice | undefined,
    answer: StepAnswer,
  ): AsyncGenerator<ToolLoopEvent, LoopEnd | undefined> {
    const calls = choice === 'none' ? [] : answer.toolCalls
    if (!calls.length) return this.endAnswered(answer)
    const functions = calls.filter(({ name }) => this.loop.offer.isCallerFunction(name))
    const remotes = calls.filter((call) => !functions.includes(call))
    const stop = functions.length ? undefined : this.stopAfter(step)
    this.messages.push(answer.message(calls))
    yield* this.callRemotes(remotes, step, stop?.refusal)
    if (functions.length) return { reason: 'functions', functions }
    const limit =
      stop?.limit ?? (this.planner.hasRepeated ? 'repeated' : this.time.exceeded !== undefined ? 'time' : undefined)
    return limit && { reason: 'incomplete', limit }
  }

  private endAnswered(answer: StepAnswer): LoopEnd {
    this.messages.push(answer.message([]))
    const isEmpty = !answer.text && this.mustAnswer
    return isEmpty ? { reason: 'incomplete', limit: 'calls' } : { reason: 'answered' }
  }

  /** The limit at which the loop ends after this step, and the result of calls that are not made. */
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
    refusal?: string,
  ): AsyncGenerator<ToolLoopEvent> {
    const { limits, resultBudget, time, options } = this
    const plans = calls.map((call) => this.planner.plan(call, refusal))
    const concurrency = this.loop.request.parallelToolCalls === false ? 1 : limits.callsAtOnce
    const outcomes = yield* runCalls(plans, { step, concurrency, limits, resultBudget, time, options })
    for (const [index, outcome] of outcomes.entries())
      this.messages.push({ role: 'tool', content: outcome.output, toolCallId: calls[index]?.id ?? '' })
  }
}

/** A common estimate for English text, used if the backend reports no usage. */
const charactersPerToken = 4

const limitOf = ({ finish }: StepAnswer): LoopLimit | undefined => {
  if (finish?.finish === 'length') return 'tokens'
  return finish?.finish === 'content_filter' ? 'content_filter' : undefined
}
