import type { ToolCall } from '@sallyport/core'
import { isRecord, canonicalJson } from '@sallyport/kit/json'
import type { RemoteCall } from './events.js'
import type { ToolLoopLimits } from './limits.js'
import type { RemoteTool, ToolOffer } from './offer.js'
import type { ResultBudget } from './result-budget.js'

export type PlannedCall = { readonly call: RemoteCall } & (
  | { readonly tool: RemoteTool; readonly arguments: unknown }
  /** What the model reads: why the call is not made. */
  | { readonly refusal: string }
)

/** Decides which calls of a step are made, and what the model reads instead of results of the others. */
export class CallPlanner {
  private callsMade = 0
  private readonly callCounts = new Map<string, number>()
  /** Whether the model has made the same call more often than is allowed. */
  hasRepeated = false

  constructor(
    private readonly offer: ToolOffer,
    private readonly limits: ToolLoopLimits,
    private readonly resultBudget: ResultBudget,
  ) {}

  /** Whether no further remote call may be made. */
  get exhausted(): boolean {
    return this.callsMade >= this.limits.calls || this.resultBudget.isFull
  }

  /** @param refusal why the call must not be made, where a limit is reached */
  plan({ id, name, arguments: json }: ToolCall, refusal?: string): PlannedCall {
    const tool = this.offer.find(name)
    if (!tool) return { call: { id, name, arguments: json }, refusal: `there is no tool ${name} among those offered` }
    const { server } = tool.owner
    const call = { id, server: server.label, name: tool.tool.name, arguments: json }
    if (refusal !== undefined) return { call, refusal }
    const parsed = parseArguments(json)
    if (!parsed) return { call, refusal: 'the arguments are not a JSON object: the tool was not called' }
    const problem = this.count(JSON.stringify([server.label, tool.tool.name, parsed.canonical]))
    return problem === undefined ? { call, tool, arguments: parsed.value } : { call, refusal: problem }
  }

  /** Counts a call. @returns why it must not be made, if so */
  private count(key: string): string | undefined {
    const { calls, repeats } = this.limits
    const times = this.callCounts.get(key) ?? 0
    if (times >= repeats) {
      this.hasRepeated = true
      return `not called: the same call was made ${times} times already`
    }
    if (this.resultBudget.isFull) return `not called: ${this.resultBudget.refusal}`
    if (this.callsMade >= calls) return `not called: the limit of ${calls} tool calls is reached`
    this.callsMade += 1
    this.callCounts.set(key, times + 1)
    return undefined
  }
}

/** Undefined for anything but a JSON object, and for one that is nested too deeply; '' is an empty object. */
const parseArguments = (json: string) => {
  try {
    const value: unknown = JSON.parse(json.trim() || '{}')
    return isRecord(value) ? { value, canonical: canonicalJson(value) } : undefined
  } catch {
    return undefined
  }
}
