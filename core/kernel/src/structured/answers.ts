/** Validates a streamed answer against what the request expects: a schema, calls of tools. */

import { failure } from '@sallyport/core'
import type { ChatChunk } from '@sallyport/core'
import { showPath } from '@sallyport/kit/json'
import type { Path } from '@sallyport/kit/json'
import type { Problem } from '@sallyport/kit/schemas'
import type { Expectation, SchemaConstraint } from './expectation.js'

/** Resolves with what is wrong with a text, if anything. */
export type Validate = (constraint: SchemaConstraint, text: string) => Promise<Problem | undefined>

/** The text of a choice, or the arguments of a call, with the schema that it must be valid against, if any. */
interface ConstrainedText {
  readonly constraint: SchemaConstraint | undefined
  text: string
}

interface Choice extends ConstrainedText {
  /** Calls by their index. */
  readonly calls: Map<number, ConstrainedText>
}

type ChunkOf<Kind extends string> = Extract<ChatChunk, Record<Kind, unknown>>

/** Characters of a text that is validated against a schema. */
const maxLength = 2_000_000

/** Collects the texts and calls of each choice, and validates them at its end. */
export class AnswerValidator {
  private readonly choices = new Map<number, Choice>()

  constructor(
    private readonly expected: Expectation,
    private readonly validate: Validate,
  ) {}

  /**
   * Resolves when the chunk may leave; for the last chunk of a choice, when the whole choice is valid.
   * @throws invalid_output
   */
  async add(chunk: ChatChunk): Promise<void> {
    const { choice: index = 0 } = chunk
    const choice = this.choices.get(index) ?? { constraint: this.expected.text, text: '', calls: new Map() }
    this.choices.set(index, choice)
    if ('delta' in chunk) append(choice, chunk.delta, index, 'text')
    else if ('toolCall' in chunk) this.addCall(choice, chunk)
    else if ('finish' in chunk) {
      this.choices.delete(index)
      if (chunk.finish === 'stop' || chunk.finish === 'tool_calls') await this.check(choice, index)
    }
  }

  private addCall(
    { calls }: Choice,
    { choice, toolCall: { index, name, arguments: more } }: ChunkOf<'toolCall'>,
  ): void {
    const call = calls.get(index) ?? this.newCall(name, choice, index)
    calls.set(index, call)
    if (calls.size > this.expected.maxCalls)
      throw invalid(choice, `call ${index}`, 'is one too many: no more than one was allowed')
    append(call, more, choice, argumentsOf(index))
  }

  private newCall(name: string | undefined, choice: number | undefined, index: number): ConstrainedText {
    const { tools } = this.expected
    const place = `call ${index}`
    if (!tools.size) throw invalid(choice, place, 'calls a tool, and may call none')
    if (name === undefined) throw invalid(choice, place, 'names no tool')
    if (!tools.has(name)) throw invalid(choice, place, 'is of a tool that may not be called')
    return { constraint: tools.get(name), text: '' }
  }

  private async check({ calls, ...constrained }: Choice, choice: number): Promise<void> {
    if (this.expected.mustCall && !calls.size) throw invalid(choice, 'it', 'calls no tool, and had to call one')
    // An answer with calls needs no text.
    if (constrained.text.trim() || !calls.size) await this.checkText(constrained, choice, 'text')
    for (const [index, call] of calls) await this.checkText(call, choice, argumentsOf(index))
  }

  private async checkText({ constraint, text }: ConstrainedText, choice: number, place: string): Promise<void> {
    const found = constraint && (await this.validate(constraint, text))
    if (found) throw invalid(choice, `${place}${atPath(found.path)}`, found.problem)
  }
}

const argumentsOf = (index: number): string => `call ${index}, arguments`

const append = (constrained: ConstrainedText, more: string, choice: number | undefined, place: string): void => {
  if (!constrained.constraint) return
  constrained.text += more
  if (constrained.text.length > maxLength) throw invalid(choice, place, `is longer than ${maxLength} characters`)
}

const atPath = (path: Path): string => (path.length ? ` at ${showPath(['$', ...path])}` : '')

const invalid = (choice = 0, place: string, problem: string) =>
  failure('invalid_output', { place: `choice ${choice}, ${place}`, problem })
