import { randomUUID } from 'node:crypto'
import { isRecord } from '@sallyport/kit/json'
import type { ChatChunk } from '@sallyport/core'
import { BadReply, countOf, fieldsOf, listOf, textOf, nonEmptyText } from './read.js'
import type { Fields } from './read.js'
import { SurrogateJoiner } from './surrogate-joiner.js'

/** The maximum number of calls in one answer, which protects against a server in a loop. */
const maxCalls = 128

interface OpenCall {
  /** Position among the calls of the answer. */
  readonly index: number
  /** The id of the server, or one of our own where it sent none or an unsafe one. */
  readonly id: string
  /** The id that the server sent. */
  readonly upstreamId: string | undefined
  readonly arguments: SurrogateJoiner
  /** Arguments that came before the name. */
  pending: string
  hasName: boolean
}

/** Ids are sent to clients unchecked, so they must not be free text. */
const plainId = /^[\w.:/-]{1,128}$/

type ToolCallChunk = Extract<ChatChunk, { toolCall: object }>

/** One entry of `delta.tool_calls`. */
interface Entry {
  readonly number: number | undefined
  readonly id: string | undefined
  readonly name: string | undefined
  readonly text: string
}

/**
 * Tool calls of a stream. The id and the name go out with a call's first chunk, whenever they came. Ids are made where
 * the server sends none or an unsafe one, and calls are numbered in the order of their appearance.
 */
export class ToolCalls {
  readonly #calls: OpenCall[] = []
  /** The latest call by the server's number for it. */
  readonly #numbered = new Map<number, OpenCall>()

  get hasCalls(): boolean {
    return this.#calls.length > 0
  }

  *chunks(delta: Fields): Iterable<ToolCallChunk> {
    for (const value of listOf(delta.tool_calls, 'tool_calls')) {
      const chunk = this.#chunk(entryOf(value))
      if (chunk) yield chunk
    }
  }

  /** Returns the arguments that were held back. */
  *flush(): Iterable<ToolCallChunk> {
    for (const { index, arguments: parts } of this.#calls) {
      const rest = parts.flush()
      if (rest) yield { toolCall: { index, arguments: rest } }
    }
  }

  /** @throws BadReply where a call never got a name. */
  assertNamed(): void {
    if (this.#calls.some(({ hasName }) => !hasName)) throw new BadReply('it called a tool without a name')
  }

  #chunk(entry: Entry): ToolCallChunk | undefined {
    const call = this.#callOf(entry)
    const { index, id } = call
    const text = call.arguments.next(entry.text)
    if (call.hasName) return text ? { toolCall: { index, arguments: text } } : undefined
    call.pending += text
    if (entry.name === undefined) return undefined
    call.hasName = true
    return { toolCall: { index, id, name: entry.name, arguments: call.pending } }
  }

  #callOf(entry: Entry): OpenCall {
    const { number, id } = entry
    const known = number === undefined ? this.#calls.at(-1) : this.#numbered.get(number)
    if (known && !startsNewCall(entry, known)) return known
    if (this.#calls.length >= maxCalls) throw new BadReply(`it made more than ${maxCalls} tool calls`)
    const call: OpenCall = {
      index: this.#calls.length,
      id: id !== undefined && plainId.test(id) ? id : `call_${randomUUID()}`,
      upstreamId: id,
      arguments: new SurrogateJoiner(),
      pending: '',
      hasName: false,
    }
    this.#calls.push(call)
    if (number !== undefined) this.#numbered.set(number, call)
    return call
  }
}

const entryOf = (value: unknown): Entry => {
  const { index, id, function: called } = fieldsOf(value, 'a tool call')
  const { name, arguments: text } = fieldsOf(called, 'the function of a tool call')
  return {
    number: countOf(index),
    id: nonEmptyText(id),
    name: nonEmptyText(name),
    // some servers send an object instead of its JSON
    text: isRecord(text) ? JSON.stringify(text) : textOf(text, 'the arguments of a tool call'),
  }
}

/**
 * Whether an entry starts another call than the known one. Neither its number nor its id suffices to decide: some
 * servers number every call 0, or none, and some make a new id for each part.
 */
const startsNewCall = ({ number, id, name }: Entry, known: OpenCall): boolean =>
  known.hasName && name !== undefined && (id === undefined ? number === undefined : id !== known.upstreamId)
