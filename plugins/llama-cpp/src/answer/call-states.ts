import type { AnswerRules, CallRules } from './answer-grammar.js'
import { JsonEnd } from './json-end.js'
import { asIgnored, asText, newCallId } from './state.js'
import type { ParserState, ParserStep } from './state.js'
import { afterMark, callMark, patternOf } from './syntax.js'
import type { CallSyntax, FixedText } from './syntax.js'
import { plainText, textUntil } from './text-states.js'
import { unmarkedCallOr } from './unmarked-call.js'

/** The initial state where calls are offered. Calls may follow a text if they have a mark. */
export const callsOrText = ({ syntax, required, tools }: CallRules, format: AnswerRules['format']): ParserState => {
  const mark = callMark(syntax)
  const calls = new CallParser(syntax, required)
  // arguments that no grammar has constrained may not fit a strict schema
  const names = new Set(tools.filter(({ strict }) => !strict).map(({ name }) => name))
  const withUnmarkedCalls = (text: ParserState) => (required ? text : unmarkedCallOr(names, mark, text))
  if (mark !== undefined && !format)
    return withUnmarkedCalls(textUntil(mark, calls.callState(afterMark(syntax, mark), 0)))
  const call = calls.callState(syntax.begin, 0)
  if (required) return call
  // Without a mark, the JSON that a response format asks for may begin as a call does.
  const isJson = mark === undefined && format
  const text = format ? plainText : withUnmarkedCalls(plainText)
  return callOrText(syntax, { ...call, finish: isJson ? asText : asIgnored }, text)
}

const callOrText = ({ begin: [first] }: CallSyntax, call: ParserState, otherwise: ParserState): ParserState => ({
  take: (text) => {
    const isLikeCall = typeof first !== 'string' || text.startsWith(first) || first.startsWith(text)
    return isLikeCall ? call.take(text) : { rest: text, next: otherwise }
  },
  finish: call.finish,
})

/** Parses the calls of one answer. */
class CallParser {
  private readonly completed: { readonly name: string; readonly arguments: string }[] = []

  /** @param required whether a repeated call ends the answer: small models that must call do not know when to stop */
  constructor(
    private readonly syntax: CallSyntax,
    private readonly required: boolean,
  ) {}

  /** Reads the fixed text before a name, and the name of a call, which is followed by an object. */
  callState(begin: FixedText, index: number): ParserState {
    const pattern = new RegExp(`^${patternOf(begin)}([^"{]+?)${patternOf(this.syntax.middle)}(?=\\{)`, 'u')
    return {
      take: (text) => {
        const [start, name] = pattern.exec(text) ?? []
        if (start === undefined || name === undefined) return undefined
        const rest = text.slice(start.length)
        return this.required && index > 0
          ? { rest, next: this.unlessRepeated(name, index) }
          : this.startCall(name, index, rest)
      },
      finish: asIgnored,
    }
  }

  /** Holds arguments back while an earlier call of the same name begins with them. */
  private unlessRepeated(name: string, index: number): ParserState {
    const earlier = this.completed.filter((call) => call.name === name)
    return {
      take: (text) => {
        if (earlier.some((call) => text.startsWith(call.arguments))) return { rest: '', next: repeated }
        return earlier.some((call) => call.arguments.startsWith(text)) ? undefined : this.startCall(name, index, text)
      },
      finish: asIgnored,
    }
  }

  private startCall(name: string, index: number, rest: string): ParserStep {
    const chunk = { toolCall: { index, id: newCallId(), name, arguments: '' } }
    return { chunk, rest, next: this.argumentsState(name, index) }
  }

  private argumentsState(name: string, index: number): ParserState {
    const end = new JsonEnd()
    let whole = ''
    const state: ParserState = {
      take: (text) => {
        const length = end.find(text)
        const chunk = { toolCall: { index, arguments: text.slice(0, length) } }
        whole += chunk.toolCall.arguments
        if (length === undefined) return { chunk, rest: '', next: state }
        this.completed.push({ name, arguments: whole })
        const { between } = this.syntax
        return { chunk, rest: text.slice(length), next: between ? this.callState(between, index + 1) : done }
      },
      finish: asIgnored,
      isInCall: true,
    }
    return state
  }
}

/** Ignores what follows the last call. */
const done: ParserState = { take: () => ({ rest: '', next: done }), finish: asIgnored }

const repeated: ParserState = { take: () => ({ rest: '', next: repeated }), finish: asIgnored, isOver: true }
