import type { FunctionTool, ResponseFormat } from '@sallyport/core'
import { characters, choice, GrammarBuilder, optional, prefixTree, repeat, sequence, text } from '../grammar/index.js'
import type { Expression, Grammar } from '../grammar/index.js'
import { anyBut, anyText, textUntilMark } from './free-text.js'
import { behindMark, callMark, idCharacters, writtenId } from './syntax.js'
import type { CallSyntax, Fixed, ThoughtSyntax } from './syntax.js'

/** What an answer must keep to. */
export interface AnswerRules {
  readonly format?: Exclude<ResponseFormat, { type: 'text' }> | undefined
  readonly calls?: CallRules | undefined
  readonly thoughts?: ThoughtSyntax | undefined
}

export interface CallRules {
  readonly syntax: CallSyntax
  /** The tools that may be called. */
  readonly tools: readonly OfferedTool[]
  /** There must be a call. */
  readonly required: boolean
  /** There may be several calls. */
  readonly parallel: boolean
}

export interface OfferedTool extends FunctionTool {
  /** Where the tool stands in the request. */
  readonly field: string
}

/** Limits the calls of one answer: small models do not know when to stop. */
const maxCalls = 16

/** The grammar of an answer; undefined where it may be anything. @throws invalid_request for schemas that cannot be held */
export const answerGrammar = ({ calls, format, thoughts }: AnswerRules): Grammar | undefined => {
  if (!calls && !format) return undefined
  const builder = new GrammarBuilder()
  const json = format && formatRule(builder, format)
  const answer = calls ? callsOrText(builder, calls, json) : (json ?? anyText(builder))
  return builder.build(thoughts ? behindThoughts(builder, thoughts, answer) : answer)
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
  const whole = sequence(fixed(syntax.begin), calls)
  if (required) return whole
  if (json !== undefined) return choice(whole, json)
  const mark = callMark(syntax)
  if (mark === undefined) return choice(whole, optional(sequence(anyBut(firstCharacter(syntax)), anyText(builder))))
  return textUntilMark(builder, mark, builder.rule('marked', sequence(fixed(behindMark(syntax, mark)), calls)), true)
}

/** Calls without a mark are told from words by their first character. */
const firstCharacter = ({ begin: [first] }: CallSyntax): string => (typeof first === 'string' ? first.charAt(0) : '{')

const callList = (builder: GrammarBuilder, { syntax, tools, parallel }: CallRules): Expression => {
  const middle = fixed(syntax.middle)
  const choices = tools.map(({ name, field, parameters = { type: 'object' }, strict = false }) => ({
    text: name,
    then: sequence(middle, builder.schema(parameters, { field: `${field}.parameters`, strict })),
  }))
  const call = builder.rule('call', prefixTree(choices))
  const more = parallel && syntax.between ? [repeat(sequence(fixed(syntax.between), call), 0, maxCalls - 1)] : []
  return builder.rule('calls', sequence(call, ...more, fixed(syntax.end)))
}

/** Thoughts are there or not, unless the prompt has begun them. */
const behindThoughts = (
  builder: GrammarBuilder,
  { begin, end, opened }: ThoughtSyntax,
  answer: Expression,
): Expression => {
  const whole = builder.rule('answer', answer)
  const space = repeat(characters([0x20, 0x20], [0x0a, 0x0a]), 0, 2)
  const thoughts = textUntilMark(builder, end.trim(), sequence(space, whole), false)
  return opened ? thoughts : choice(sequence(text(begin.trim()), thoughts), whole)
}

const fixed = (parts: Fixed): Expression =>
  sequence(
    ...parts.map((part) =>
      part === writtenId ? repeat(characters(...idCharacters.codePoints), 1, idCharacters.max) : text(part),
    ),
  )
