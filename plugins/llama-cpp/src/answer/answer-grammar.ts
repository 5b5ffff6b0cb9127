import type { FunctionTool, ResponseFormat } from '@sallyport/core'
import {
  characters,
  choice,
  codePointsOf,
  complement,
  empty,
  GrammarBuilder,
  optional,
  prefixTree,
  repeat,
  sequence,
  text,
} from '../grammar/index.js'
import type { Expression, Grammar } from '../grammar/index.js'
import { afterMark, callMark, idCharacters, idPlaceholder } from './syntax.js'
import type { CallSyntax, FixedText, ReasoningSyntax } from './syntax.js'

/** The form that an answer must have. */
export interface AnswerRules {
  readonly format?: Exclude<ResponseFormat, { type: 'text' }> | undefined
  readonly calls?: CallRules | undefined
  readonly reasoning?: ReasoningSyntax | undefined
}

export interface CallRules {
  readonly syntax: CallSyntax
  /** The tools that may be called. */
  readonly tools: readonly OfferedTool[]
  /** Whether there must be a call. */
  readonly required: boolean
  /** Whether there may be several calls. */
  readonly parallel: boolean
}

export interface OfferedTool extends FunctionTool {
  /** The tool's field in the request, for messages. */
  readonly field: string
}

/** The maximum number of calls in one answer, because small models do not know when to stop. */
const maxCalls = 16

/** Undefined where the answer may be anything. @throws invalid_request for schemas that cannot be enforced */
export const answerGrammar = ({ calls, format, reasoning }: AnswerRules): Grammar | undefined => {
  if (!calls && !format) return undefined
  const builder = new GrammarBuilder()
  const json = format && formatRule(builder, format)
  const answer = calls ? callsOrText(builder, calls, json) : (json ?? anyText(builder))
  return builder.build(reasoning ? afterReasoning(builder, reasoning, answer) : answer)
}

const formatRule = (builder: GrammarBuilder, format: NonNullable<AnswerRules['format']>): Expression => {
  const field = 'responseFormat.schema'
  return format.type === 'json_schema'
    ? builder.schema(format.schema, { field, strict: format.strict })
    : builder.schema({ type: 'object' }, { field, strict: true })
}

/** @param json what an answer without calls must be; any text where it is absent */
const callsOrText = (builder: GrammarBuilder, rules: CallRules, json: Expression | undefined): Expression => {
  const { syntax, required } = rules
  const calls = callList(builder, rules)
  const whole = sequence(fixedText(syntax.begin), calls)
  if (required) return whole
  if (json !== undefined) return choice(whole, json)
  const mark = callMark(syntax)
  if (mark === undefined) return choice(whole, optional(sequence(anyBut(firstCharacter(syntax)), anyText(builder))))
  return textUntilMark(builder, mark, builder.rule('marked', sequence(fixedText(afterMark(syntax, mark)), calls)), true)
}

/** The character that distinguishes calls without a mark from text. */
const firstCharacter = ({ begin: [first] }: CallSyntax): string => (typeof first === 'string' ? first.charAt(0) : '{')

const callList = (builder: GrammarBuilder, { syntax, tools, parallel }: CallRules): Expression => {
  const middle = fixedText(syntax.middle)
  const continuations = tools.map(({ name, field, parameters = { type: 'object' }, strict = false }) => ({
    text: name,
    then: sequence(middle, builder.schema(parameters, { field: `${field}.parameters`, strict })),
  }))
  const call = builder.rule('call', prefixTree(continuations))
  const more = parallel && syntax.between ? [repeat(sequence(fixedText(syntax.between), call), 0, maxCalls - 1)] : []
  return builder.rule('calls', sequence(call, ...more, fixedText(syntax.end)))
}

/** An answer that may begin with reasoning, and must where the prompt has opened it. */
const afterReasoning = (
  builder: GrammarBuilder,
  { begin, end, opened }: ReasoningSyntax,
  answer: Expression,
): Expression => {
  const whole = builder.rule('answer', answer)
  const space = repeat(characters([0x20, 0x20], [0x0a, 0x0a]), 0, 2)
  const reasoning = textUntilMark(builder, end.trim(), sequence(space, whole), false)
  return opened ? reasoning : choice(sequence(text(begin.trim()), reasoning), whole)
}

const fixedText = (parts: FixedText): Expression =>
  sequence(
    ...parts.map((part) =>
      part === idPlaceholder ? repeat(characters(...idCharacters.codePoints), 1, idCharacters.max) : text(part),
    ),
  )

/**
 * A rule for any text up to the first mark and for what follows the mark. Each state of the automaton represents the
 * length of the mark that has been read (Knuth, Morris and Pratt, 1977).
 * @param mayEnd whether the text may also end without a mark
 */
const textUntilMark = (builder: GrammarBuilder, mark: string, afterMark: Expression, mayEnd: boolean): Expression => {
  const markCharacters = Array.from(mark)
  const different = [...new Set(markCharacters)]
  const states = builder.recursiveRules('text', markCharacters.length, (state, rules) => {
    const after = (length: number): Expression => rules[length] ?? afterMark
    const steps = different.map((character) =>
      sequence(text(character), after(overlap([...markCharacters.slice(0, state), character], markCharacters))),
    )
    return choice(...steps, sequence(anyBut(different.join('')), after(0)), ...(mayEnd ? [empty] : []))
  })
  return states[0] ?? afterMark
}

/** A rule for any text. */
const anyText = (builder: GrammarBuilder): Expression => builder.rule('text', repeat(anyBut('\0'), 0, Infinity))

/** A rule for one character that is none of these. */
const anyBut = (excluded: string): Expression => characters(...complement(codePointsOf(excluded)))

/** The length of the longest end of the text that the mark begins with. */
const overlap = (read: readonly string[], mark: readonly string[]): number => {
  const length = read.findIndex((_, from) => read.slice(from).every((character, at) => character === mark[at]))
  return length < 0 ? 0 : read.length - length
}
