import { randomUUID } from 'node:crypto'
import { isRecord } from '@sallyport/kit/json'
import type { ChatChunk } from '@sallyport/core'
import { BadReply, countOf, fieldsOf, listOf, textOf, wordOf } from './read.js'
import type { Fields } from './read.js'
import { TextParts } from './text-parts.js'

/** More calls in one answer are taken for a server gone wild. */
const maxCalls = 128

interface OpenCall {
  /** Position among the calls of the answer. */
  readonly index: number
  /** The server's, or ours where it gave none that may be handed on. */
  readonly id: string
  /** The id that the server gave. */
  readonly given: string | undefined
  readonly arguments: TextParts
  /** Arguments that came before the name. */
  pending: string
  named: boolean
}

/** An id goes to clients as it is: it must not be a text. */
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
 * Tool calls of a stream. The id and the name go out with a call's first piece, whenever they came; ids are made where
 * the server gives none or a text, and calls are numbered in the order of their appearance.
 */
export class ToolCalls {
  readonly #calls: OpenCall[] = []
  /** The latest call by the server's number for it. */
  readonly #numbered = new Map<number, OpenCall>()

  get any(): boolean {
    return this.#calls.length > 0
  }

  *chunks(delta: Fields): Iterable<ToolCallChunk> {
    for (const value of listOf(delta.tool_calls, 'tool_calls')) {
      const chunk = this.#chunk(entryOf(value))
      if (chunk) yield chunk
    }
  }

  /** What was held back of the arguments. */
  *rest(): Iterable<ToolCallChunk> {
    for (const { index, arguments: parts } of this.#calls) {
      const rest = parts.rest()
      if (rest) yield { toolCall: { index, arguments: rest } }
    }
  }

  /** @throws BadReply where a call never got a name. */
  assertNamed(): void {
    if (this.#calls.some(({ named }) => !named)) throw new BadReply('it called a tool without a name')
  }

  #chunk(entry: Entry): ToolCallChunk | undefined {
    const call = this.#callOf(entry)
    const { index, id } = call
    const text = call.arguments.next(entry.text)
    if (call.named) return text ? { toolCall: { index, arguments: text } } : undefined
    call.pending += text
    if (entry.name === undefined) return undefined
    call.named = true
    return { toolCall: { index, id, name: entry.name, arguments: call.pending } }
  }

  #callOf(entry: Entry): OpenCall {
    const { number, id } = entry
    const known = number === undefined ? this.#calls.at(-1) : this.#numbered.get(number)
    if (known && !begins(entry, known)) return known
    if (this.#calls.length >= maxCalls) throw new BadReply(`it made more than ${maxCalls} tool calls`)
    const call: OpenCall = {
      index: this.#calls.length,
      id: id !== undefined && plainId.test(id) ? id : `call_${randomUUID()}`,
      given: id,
      arguments: new TextParts(),
      pending: '',
      named: false,
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
    id: wordOf(id),
    name: wordOf(name),
    // Some servers give the object itself.
    text: isRecord(text) ? JSON.stringify(text) : textOf(text, 'the arguments of a tool call'),
  }
}

/**
 * Whether an entry is the start of another call than the known one. The number alone does not tell: some servers number
 * every call 0, or none; and an id alone does not either: some make a new one for each part.
 */
const begins = ({ number, id, name }: Entry, known: OpenCall): boolean =>
  known.named && name !== undefined && (id === undefined ? number === undefined : id !== known.given)
