/** The answer to a request as it comes, and whether it is what was asked for. */

import type { ChatChunk } from '../capabilities/chat.js'
import type { Path } from '../config/data.js'
import { showPath } from '../config/data.js'
import { failure } from '../errors/index.js'
import type { Expectation, Held } from './expectation.js'
import type { Problem } from './protocol.js'

/** Tells what is wrong with a text. */
export type Validate = (held: Held, text: string) => Promise<Problem | undefined>

interface Choice {
  text: string
  readonly calls: Map<number, { name?: string; arguments: string }>
}

type Piece<Kind extends string> = Extract<ChatChunk, Record<Kind, unknown>>

/** Notes what the choices of an answer say. */
export class Answers {
  private readonly choices = new Map<number, Choice>()

  constructor(
    private readonly expected: Expectation,
    private readonly validate: Validate,
  ) {}

  /**
   * Resolves when the piece may leave: the last one of a choice when all of the choice is as it must be.
   * @throws invalid_output
   */
  async add(chunk: ChatChunk): Promise<void> {
    const { choice: index = 0 } = chunk
    const choice = this.choices.get(index) ?? { text: '', calls: new Map() }
    this.choices.set(index, choice)
    if ('delta' in chunk) choice.text += this.expected.text ? chunk.delta : ''
    else if ('toolCall' in chunk) this.addCall(choice, chunk)
    else if ('finish' in chunk) {
      this.choices.delete(index)
      if (chunk.finish === 'stop' || chunk.finish === 'tool_calls') await this.check(choice, index)
    }
  }

  private addCall({ calls }: Choice, { choice, toolCall: { index, name, arguments: more } }: Piece<'toolCall'>): void {
    const { tools, mostCalls } = this.expected
    const place = `call ${index}`
    const call = calls.get(index) ?? { arguments: '' }
    calls.set(index, call)
    if (calls.size > mostCalls) throw invalid(choice, place, 'is one too many: no more than one was allowed')
    if (name !== undefined && !tools.has(name))
      throw invalid(
        choice,
        place,
        tools.size ? 'is of a tool that may not be called' : 'calls a tool, and may call none',
      )
    if (name !== undefined) call.name = name
    call.arguments += more
  }

  private async check({ text, calls }: Choice, choice: number): Promise<void> {
    const { tools, mustCall } = this.expected
    if (mustCall && !calls.size) throw invalid(choice, 'it', 'calls no tool, and had to call one')
    // Whoever calls a tool need not say anything.
    if (this.expected.text && (text.trim() || !calls.size))
      await this.checkText(this.expected.text, text, choice, 'text')
    for (const [index, { name, arguments: said }] of calls) {
      if (name === undefined) throw invalid(choice, `call ${index}`, 'names no tool')
      const held = tools.get(name)
      if (held) await this.checkText(held, said, choice, `call ${index}, arguments`)
    }
  }

  private async checkText(held: Held, text: string, choice: number, place: string): Promise<void> {
    const found = await this.validate(held, text)
    if (found) throw invalid(choice, `${place}${shown(found.path)}`, found.problem)
  }
}

const shown = (path: Path): string => (path.length ? ` at ${showPath(['$', ...path])}` : '')

const invalid = (choice = 0, place: string, problem: string) =>
  failure('invalid_output', { place: `choice ${choice}, ${place}`, problem })
