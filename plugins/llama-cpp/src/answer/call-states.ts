import type { AnswerRules, CallRules } from './answer-grammar.js'
import { JsonEnd } from './json-end.js'
import { asNothing, asText, newCallId } from './state.js'
import type { State, Step } from './state.js'
import { behindMark, callMark, patternOf } from './syntax.js'
import type { CallSyntax, Fixed } from './syntax.js'
import { plainText, textUntil } from './text-states.js'
import { writtenCallOr } from './written-call.js'

/** Calls may follow a text, unless they are told from the answer by their beginning alone. */
export const callsOrText = ({ syntax, required, tools }: CallRules, format: AnswerRules['format']): State => {
  const mark = callMark(syntax)
  const calls = new CallList(syntax, required)
  // what no grammar has held may not fit a strict schema
  const names = new Set(tools.filter(({ strict }) => !strict).map(({ name }) => name))
  const written = (text: State) => (required ? text : writtenCallOr(names, mark, text))
  if (mark !== undefined && !format) return written(textUntil(mark, calls.call(behindMark(syntax, mark), 0)))
  const call = calls.call(syntax.begin, 0)
  if (required) return call
  // Without a mark, the JSON that a response format asks for may begin as a call does.
  const isJson = mark === undefined && format
  return callOrText(syntax, { ...call, left: isJson ? asText : asNothing }, format ? plainText : written(plainText))
}

const callOrText = ({ begin: [first] }: CallSyntax, call: State, otherwise: State): State => ({
  take: (text) => {
    const isLikeCall = typeof first !== 'string' || text.startsWith(first) || first.startsWith(text)
    return isLikeCall ? call.take(text) : { rest: text, next: otherwise }
  },
  left: call.left,
})

/** The calls of one answer. */
class CallList {
  private readonly made: { readonly name: string; readonly arguments: string }[] = []

  /**
   * @param required small models that must call do not know when to stop: the answer ends where a call repeats an
   * earlier one
   */
  constructor(
    private readonly syntax: CallSyntax,
    private readonly required: boolean,
  ) {}

  /** A call, whose name is followed by an object, behind a text that must come. */
  call(begin: Fixed, index: number): State {
    const pattern = new RegExp(`^${patternOf(begin)}([^"{]+?)${patternOf(this.syntax.middle)}(?=\\{)`, 'u')
    return {
      take: (text) => {
        const [start, name] = pattern.exec(text) ?? []
        if (start === undefined || name === undefined) return undefined
        const rest = text.slice(start.length)
        return this.required && index > 0
          ? { rest, next: this.unlessRepeated(name, index) }
          : this.begun(name, index, rest)
      },
      left: asNothing,
    }
  }

  /** Arguments are held while an earlier call of the name begins with them. */
  private unlessRepeated(name: string, index: number): State {
    const earlier = this.made.filter((call) => call.name === name)
    return {
      take: (text) => {
        if (earlier.some((call) => text.startsWith(call.arguments))) return { rest: '', next: repeated }
        return earlier.some((call) => call.arguments.startsWith(text)) ? undefined : this.begun(name, index, text)
      },
      left: asNothing,
    }
  }

  private begun(name: string, index: number, rest: string): Step {
    const chunk = { toolCall: { index, id: newCallId(), name, arguments: '' } }
    return { chunk, rest, next: this.argumentsOf(name, index) }
  }

  private argumentsOf(name: string, index: number): State {
    const end = new JsonEnd()
    let whole = ''
    const state: State = {
      take: (text) => {
        const length = end.find(text)
        const chunk = { toolCall: { index, arguments: text.slice(0, length) } }
        whole += chunk.toolCall.arguments
        if (length === undefined) return { chunk, rest: '', next: state }
        this.made.push({ name, arguments: whole })
        return { chunk, rest: text.slice(length), next: this.after(index) }
      },
      left: asNothing,
      isInCall: true,
    }
    return state
  }

  private after(index: number): State {
    return this.syntax.between ? this.call(this.syntax.between, index + 1) : done
  }
}

/** The rest is no part of the answer. */
const done: State = { take: () => ({ rest: '', next: done }), left: asNothing }

const repeated: State = { take: () => ({ rest: '', next: repeated }), left: asNothing, isOver: true }
