import type { FunctionTool, ResponseFormat } from '@sallyport/core'
import { GrammarBuilder, literal } from '../grammar/index.js'
import type { Grammar } from '../grammar/index.js'
import { anyText, classOf, textUntilMark } from './free-text.js'
import { nameChoice } from './name-choice.js'
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
  /** Those that may be called. */
  readonly tools: readonly OfferedTool[]
  /** There must be a call. */
  readonly required: boolean
  /** There may be several. */
  readonly parallel: boolean
}

export interface OfferedTool extends FunctionTool {
  /** Where it stands in the request. */
  readonly field: string
}

/** Calls in one answer at most: small models do not know when to stop. */
const mostCalls = 16

/** The grammar of an answer; undefined where it may be anything. @throws invalid_request for schemas that cannot be held */
export const answerGrammar = ({ calls, format, thoughts }: AnswerRules): Grammar | undefined => {
  if (!calls && !format) return undefined
  const builder = new GrammarBuilder()
  const text = format && formatRule(builder, format)
  const answer = calls ? callsOrText(builder, calls, text) : (text ?? anyText(builder))
  return builder.build(thoughts ? behindThoughts(builder, thoughts, answer) : answer)
}

const formatRule = (builder: GrammarBuilder, format: NonNullable<AnswerRules['format']>): string => {
  const field = 'responseFormat.schema'
  return format.type === 'json_schema'
    ? builder.schema(format.schema, { field, strict: format.strict })
    : builder.schema({ type: 'object' }, { field, strict: true })
}

/** @param text the rule for an answer in words; any without one */
const callsOrText = (builder: GrammarBuilder, rules: CallRules, text: string | undefined): string => {
  const { syntax, required } = rules
  const calls = callList(builder, rules)
  const whole = builder.rule('calls', `${fixed(syntax.begin)} ${calls}`)
  if (required) return whole
  if (text !== undefined) return builder.rule('answer', `${whole} | ${text}`)
  const mark = callMark(syntax)
  if (mark === undefined) return builder.rule('answer', `${whole} | (${notBeginningLike(syntax)} ${anyText(builder)})?`)
  return textUntilMark(builder, mark, builder.rule('marked', `${fixed(behindMark(syntax, mark))} ${calls}`), true)
}

const callList = (builder: GrammarBuilder, { syntax, tools, parallel }: CallRules): string => {
  const middle = builder.rule('middle', fixed(syntax.middle))
  const choices = tools.map(({ name, field, parameters = { type: 'object' }, strict = false }) => {
    const schema = builder.schema(parameters, { field: `${field}.parameters`, strict })
    return { name, rule: `${middle} ${schema}` }
  })
  const call = builder.rule('call', nameChoice(choices))
  const more = parallel && syntax.between ? ` (${fixed(syntax.between)} ${call}){0,${mostCalls - 1}}` : ''
  return builder.rule('call-list', `${call}${more} ${fixed(syntax.end)}`)
}

/** Bare calls are told from words by their first character. */
const notBeginningLike = ({ begin: [first] }: CallSyntax): string =>
  classOf([typeof first === 'string' ? first.charAt(0) : '{'], '^')

/** Thoughts are there or not, unless the prompt has begun them. */
const behindThoughts = (builder: GrammarBuilder, { begin, end, opened }: ThoughtSyntax, answer: string): string => {
  const next = builder.rule('thought', `[ \\n]{0,2} ${answer}`)
  const thoughts = textUntilMark(builder, end.trim(), next, false)
  return opened ? thoughts : `${literal(begin.trim())} ${thoughts} | ${answer}`
}

const fixed = (parts: Fixed): string =>
  parts
    .map((part) => (part === writtenId ? `[${idCharacters.class}]{1,${idCharacters.most}}` : literal(part)))
    .join(' ') || '""'
