/** Validates a streamed answer against what the request expects: a schema, tool calls. */

import { failure } from '@sallyport/core'
import type { ChatChunk } from '@sallyport/core'
import { showPath } from '@sallyport/kit/json'
import type { Path } from '@sallyport/kit/json'
import type { Problem } from '@sallyport/kit/schemas'
import type { Expectation, SchemaConstraint } from './expectation.js'

/** Validates a text. Resolves with the problem, if any. */
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

type ChunkWith<Kind extends string> = Extract<ChatChunk, Record<Kind, unknown>>

/** The maximum number of characters of a text that is validated against a schema. */
const maxLength = 2_000_000

/** Collects the texts and calls of each choice, and validates them at its end. */
export class AnswerValidator {
  private readonly choices = new Map<number, Choice>()

  constructor(
    private readonly expected: Expectation,
    private readonly validate: Validate,
  ) {}

  /**
   * Resolves when the chunk may leave; for the last chunk of a choice, when the whole choice is valid. Texts of an
   * answer that was cut off (`length`, `content_filter`) are not validated.
   * @throws invalid_output; errors of `validate`
   */
  async add(chunk: ChatChunk): Promise<void> {
    const { choice: index = 0 } = chunk
    const choice = this.choices.get(index) ?? { constraint: this.expected.textConstraint, text: '', calls: new Map() }
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
    { choice, toolCall: { index, name, arguments: more } }: ChunkWith<'toolCall'>,
  ): void {
    const call = calls.get(index) ?? this.newCall(name, choice, index)
    calls.set(index, call)
    if (calls.size > this.expected.maxCalls)
      throw invalid(choice, 'exceeds the limit of one tool call', `call ${index}`)
    append(call, more, choice, argumentsOf(index))
  }

  private newCall(name: string | undefined, choice: number | undefined, index: number): ConstrainedText {
    const { tools } = this.expected
    const place = `call ${index}`
    if (!tools.size) throw invalid(choice, 'must not occur: the request allows no tool calls', place)
    if (name === undefined) throw invalid(choice, 'has no name of a tool', place)
    if (!tools.has(name)) throw invalid(choice, 'names a tool that the request does not allow', place)
    return { constraint: tools.get(name), text: '' }
  }

  private async check({ calls, ...constrained }: Choice, choice: number): Promise<void> {
    if (this.expected.mustCall && !calls.size) throw invalid(choice, 'has no tool call, though one is required')
    // An answer with calls needs no text.
    if (constrained.text.trim() || !calls.size) await this.checkText(constrained, choice, 'text')
    for (const [index, call] of calls) await this.checkText(call, choice, argumentsOf(index))
  }

  private async checkText({ constraint, text }: ConstrainedText, choice: number, place: string): Promise<void> {
    const found = constraint && (await this.validate(constraint, text))
    if (found) throw invalid(choice, found.problem, `${place}${atPath(found.path)}`)
  }
}

const argumentsOf = (index: number): string => `call ${index}, arguments`

const append = (constrained: ConstrainedText, more: string, choice: number | undefined, place: string): void => {
  if (!constrained.constraint) return
  constrained.text += more
  if (constrained.text.length > maxLength) throw invalid(choice, `is longer than ${maxLength} characters`, place)
}

const atPath = (path: Path): string => (path.length ? ` at ${showPath(['$', ...path])}` : '')

const invalid = (choice = 0, problem: string, place = '') =>
  failure('invalid_output', { place: `choice ${choice}${place && `, ${place}`}`, problem })
