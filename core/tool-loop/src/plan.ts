/** Which of the calls of a step are made, and what is said instead of the others. */

import type { ToolCall } from '@sallyport/core'
import { isRecord, canonicalJson } from '@sallyport/kit/json'
import type { RemoteCall } from './events.js'
import type { ToolLoopLimits } from './limits.js'
import type { RemoteTool, ToolOffer } from './offer.js'
import type { ResultRoom } from './result-room.js'

export type PlannedCall = { readonly call: RemoteCall } & (
  | { readonly tool: RemoteTool; readonly arguments: unknown }
  /** Why it is not made. */
  | { readonly refusal: string }
)

/** Decides about calls, and counts those that are made. */
export class CallPlanner {
  private made = 0
  private readonly timesMade = new Map<string, number>()
  private seenRepeated = false

  constructor(
    private readonly offer: ToolOffer,
    private readonly limits: ToolLoopLimits,
    private readonly room: ResultRoom,
  ) {}

  /** Whether no further remote call may be made. */
  get exhausted(): boolean {
    return this.made >= this.limits.calls || this.room.isFull
  }

  /** Whether the model has made the same call once too often. */
  get repeated(): boolean {
    return this.seenRepeated
  }

  /** @param refusal why none is made, where that is so */
  plan({ id, name, arguments: text }: ToolCall, refusal?: string): PlannedCall {
    const tool = this.offer.find(name)
    if (!tool) return { call: { id, name, arguments: text }, refusal: `there is no tool ${name} among those offered` }
    const { server } = tool.from
    const call = { id, server: server.label, name: tool.tool.name, arguments: text }
    if (refusal !== undefined) return { call, refusal }
    const given = parseArguments(text)
    if (!given) return { call, refusal: 'the arguments are not a JSON object: the tool was not called' }
    const problem = this.count(JSON.stringify([server.label, tool.tool.name, given.canonical]))
    return problem === undefined ? { call, tool, arguments: given.value } : { call, refusal: problem }
  }

  /** Why the call is not made. */
  private count(key: string): string | undefined {
    const { calls, repeats } = this.limits
    const times = this.timesMade.get(key) ?? 0
    if (times >= repeats) {
      this.seenRepeated = true
      return `not called: the same call was made ${times} times already`
    }
    if (this.room.isFull) return `not called: ${this.room.refusal}`
    if (this.made >= calls) return `not called: the limit of ${calls} tool calls is reached`
    this.made += 1
    this.timesMade.set(key, times + 1)
    return undefined
  }
}

interface CallArguments {
  readonly value: Readonly<Record<string, unknown>>
  /** JSON that is equal for equal arguments, whatever the order of their members. */
  readonly canonical: string
}

/** The arguments of a call; no text is an empty object. Undefined for what is no JSON object, and nested too deeply. */
const parseArguments = (text: string): CallArguments | undefined => {
  if (!text.trim()) return { value: {}, canonical: canonicalJson({}) }
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? { value, canonical: canonicalJson(value) } : undefined
  } catch {
    return undefined
  }
}
