import { randomBytes } from 'node:crypto'
import type { ChatChunk, TokenLogprob } from '@sallyport/core'
import { JsonEnd } from './json-end.js'
import { splitAtMark } from './split-at-mark.js'
import { behindMark, callMark, patternOf } from './syntax.js'
import type { CallSyntax, Fixed, ThoughtSyntax } from './syntax.js'

export interface AnswerSyntax {
  readonly thoughts?: ThoughtSyntax | undefined
  /** Absent where the model was offered no tools: what looks like a call is text. */
  readonly calls?: CallSyntax | undefined
}

/** Takes what it can of a text that is not over; undefined where there must be more of it. */
type State = (text: string) => Step | undefined

interface Step {
  readonly chunks?: readonly ChatChunk[]
  readonly rest: string
  readonly next: State
}

/**
 * Tells thoughts, text and calls of an answer apart while it comes; how it is cut into pieces makes no difference. What
 * may turn out to be the beginning of a mark is held back.
 */
export class AnswerParser {
  private state: State
  private held = ''
  private calls = 0

  constructor({ thoughts, calls }: AnswerSyntax) {
    const text = calls ? withCalls(calls, (begin) => this.call(calls, begin)) : plainText
    this.state = thoughts ? withThoughts(thoughts, text) : text
  }

  get hasCalls(): boolean {
    return this.calls > 0
  }

  *push(text: string, logprobs: readonly TokenLogprob[] = []): Iterable<ChatChunk> {
    this.held += text
    for (let step = this.step(); step; step = this.step()) if (step.chunks) yield* step.chunks
    if (logprobs.length > 0 && !this.hasCalls) yield { delta: '', logprobs: [...logprobs] }
  }

  /** The answer is over, and what was held back is text, unless it stands in a call. */
  *end(): Iterable<ChatChunk> {
    if (this.held !== '' && !this.hasCalls) yield { delta: this.held }
    this.held = ''
  }

  private step(): Step | undefined {
    if (this.held === '') return undefined
    const step = this.state(this.held)
    if (!step) return undefined
    this.held = step.rest
    this.state = step.next
    return step
  }

  private call(syntax: CallSyntax, begin: Fixed): State {
    const name: State = (text) => {
      const middle = patternOf(syntax.middle).exec(text)
      if (!middle) return undefined
      const index = this.calls
      this.calls += 1
      const chunk = { toolCall: { index, id: newCallId(), name: text.slice(0, middle.index), arguments: '' } }
      return { chunks: [chunk], rest: text.slice(middle.index + middle[0].length), next: argumentsOf(index, next) }
    }
    const next = syntax.between ? behind(syntax.between, name) : done
    return behind(begin, name)
  }
}

const newCallId = () => `call_${randomBytes(12).toString('hex')}`

/** The rest is no part of the answer. */
const done: State = () => ({ rest: '', next: done })

const plainText: State = (text) => ({ chunks: [{ delta: text }], rest: '', next: plainText })

/** Skips a text that must come. */
const behind =
  (fixed: Fixed, next: State): State =>
  (text) => {
    const found = patternOf(fixed).exec(text)
    return found?.index === 0 ? { rest: text.slice(found[0].length), next } : undefined
  }

const withCalls = (syntax: CallSyntax, call: (begin: Fixed) => State): State => {
  const mark = callMark(syntax)
  return mark === undefined
    ? eitherCallOrText(syntax, call(syntax.begin))
    : textUntil(mark, call(behindMark(syntax, mark)))
}

const textUntil = (mark: string, next: State): State => {
  const state: State = (text) => {
    const split = splitAtMark(text, mark)
    const chunks = split.before === '' ? [] : [{ delta: split.before }]
    if ('behind' in split) return { chunks, rest: split.behind, next }
    return split.before === '' ? undefined : { chunks, rest: split.held, next: state }
  }
  return state
}

const eitherCallOrText =
  ({ begin: [first] }: CallSyntax, call: State): State =>
  (text) => {
    if (typeof first !== 'string' || text.startsWith(first)) return { rest: text, next: call }
    return first.startsWith(text) ? undefined : { rest: text, next: plainText }
  }

const withThoughts = ({ begin, end, opened }: ThoughtSyntax, answer: State): State => {
  const behindThoughts = withoutSpace(answer)
  const thinking: State = (text) => {
    const split = splitAtMark(text, end.trim())
    const thought = split.before.trimEnd()
    const chunks = thought === '' ? [] : [{ reasoning: thought }]
    if ('behind' in split) return { chunks, rest: split.behind, next: behindThoughts }
    return thought === '' ? undefined : { chunks, rest: text.slice(thought.length), next: thinking }
  }
  const mark = begin.trim()
  const begins: State = (text) => {
    if (text.startsWith(mark)) return { rest: text.slice(mark.length), next: withoutSpace(thinking) }
    return mark.startsWith(text) ? undefined : { rest: text, next: answer }
  }
  return withoutSpace(opened ? thinking : begins)
}

/** White space before it belongs to nothing. */
const withoutSpace =
  (next: State): State =>
  (text) => {
    const rest = text.trimStart()
    return rest === '' ? undefined : { rest, next }
  }

const argumentsOf = (index: number, next: State): State => {
  const end = new JsonEnd()
  const state: State = (text) => {
    const length = end.find(text)
    const piece = { toolCall: { index, arguments: text.slice(0, length) } }
    return {
      chunks: [piece],
      rest: text.slice(piece.toolCall.arguments.length),
      next: length === undefined ? state : next,
    }
  }
  return state
}
