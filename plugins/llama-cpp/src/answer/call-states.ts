import { randomBytes } from 'node:crypto'
import type { AnswerRules, CallRules } from './answer-grammar.js'
import { JsonEnd } from './json-end.js'
import { asNothing, asText } from './state.js'
import type { State } from './state.js'
import { behindMark, callMark, patternOf } from './syntax.js'
import type { CallSyntax, Fixed } from './syntax.js'
import { plainText, textUntil } from './text-states.js'

/** Calls may follow a text, unless they are told from the answer by their beginning alone. */
export const callsOrText = ({ syntax, required }: CallRules, format: AnswerRules['format']): State => {
  const mark = callMark(syntax)
  if (mark !== undefined && !format) return textUntil(mark, callBehind(behindMark(syntax, mark), syntax, 0))
  const call = callBehind(syntax.begin, syntax, 0)
  if (required) return call
  // only a format's JSON may begin like a bare call
  return callOrText(syntax, { ...call, left: mark === undefined && format ? asText : asNothing })
}

const callOrText = ({ begin: [first] }: CallSyntax, call: State): State => ({
  take: (text) => {
    const isLikeCall = typeof first !== 'string' || text.startsWith(first) || first.startsWith(text)
    return isLikeCall ? call.take(text) : { rest: text, next: plainText }
  },
  left: call.left,
})

/** A call, whose name is followed by an object, behind a text that must come. */
const callBehind = (begin: Fixed, syntax: CallSyntax, index: number): State => {
  const pattern = new RegExp(`^${patternOf(begin)}([^"{]+?)${patternOf(syntax.middle)}(?=\\{)`, 'u')
  return {
    take: (text) => {
      const [start, name] = pattern.exec(text) ?? []
      if (start === undefined || name === undefined) return undefined
      const chunk = { toolCall: { index, id: newCallId(), name, arguments: '' } }
      return { chunk, rest: text.slice(start.length), next: argumentsOf(index, nextCall(syntax, index)) }
    },
    left: asNothing,
  }
}

const nextCall = (syntax: CallSyntax, index: number): State =>
  syntax.between ? callBehind(syntax.between, syntax, index + 1) : done

const newCallId = () => `call_${randomBytes(12).toString('hex')}`

const argumentsOf = (index: number, next: State): State => {
  const end = new JsonEnd()
  const state: State = {
    take: (text) => {
      const length = end.find(text)
      const chunk = { toolCall: { index, arguments: text.slice(0, length) } }
      return length === undefined ? { chunk, rest: '', next: state } : { chunk, rest: text.slice(length), next }
    },
    left: asNothing,
    isInCall: true,
  }
  return state
}

/** The rest is no part of the answer. */
const done: State = { take: () => ({ rest: '', next: done }), left: asNothing }
