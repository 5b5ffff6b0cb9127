import { isJson } from '@sallyport/kit/views'
import { JsonEnd } from './json-end.js'
import { asText, newCallId } from './state.js'
import type { ParserOutput, ParserState } from './state.js'

/** The maximum number of UTF-16 code units that are held back while an answer may still be a call. */
const maxHeldLength = 65_536

const fence = '```json'
const openingFence = /^\s*(?:```(?:json)?\s*)?/
const namePart = String.raw`"name"\s*:\s*"(?<name>[^"\\]*)"`
const argumentsPart = String.raw`"arguments"\s*:\s*(?<args>\{[^]*\})`
const nameFirst = new RegExp(String.raw`^\{\s*${namePart}\s*,\s*${argumentsPart}\s*\}$`)
const argumentsFirst = new RegExp(String.raw`^\{\s*${argumentsPart}\s*,\s*${namePart}\s*\}$`)

/**
 * An answer that is nothing but `{"name": …, "arguments": {…}}`, bare or in a fence, is a call of that tool, as
 * llama.cpp's server treats it, because not every model uses the marks of its template. An answer is held back while it
 * may be such a call; any other is read by `otherwise`.
 * @param names names of the tools that may be called this way
 * @param mark the beginning of the template's own calls
 */
export const unmarkedCallOr = (
  names: ReadonlySet<string>,
  mark: string | undefined,
  otherwise: ParserState,
): ParserState => {
  const answer = new PossibleCall(names)
  return {
    take: (text) => {
      const mayBeCall = text.length <= maxHeldLength && !(mark && text.includes(mark)) && answer.mayBeCall(text)
      return mayBeCall ? undefined : { rest: text, next: otherwise }
    },
    finish: (text) => callIn(text, names) ?? asText(text),
  }
}

/** Decides whether an answer may still be a call, whenever more of it has come. */
class PossibleCall {
  private readonly json = new JsonEnd()
  private scanned = 0
  private end: number | undefined

  constructor(private readonly names: ReadonlySet<string>) {}

  mayBeCall(text: string): boolean {
    if (fence.startsWith(text.trimStart())) return true
    const begin = openingFence.exec(text)?.[0].length ?? 0
    return begin === text.length || (this.beginsLikeCall(text.slice(begin)) && this.endsLikeCall(text, begin))
  }

  private beginsLikeCall(text: string): boolean {
    const match = /^\{\s*(?:"([^"]*)"(?:\s*:\s*"([^"]*)")?)?/.exec(text)
    if (!match) return false
    const [, key, value] = match
    if (key === undefined) return /^\{\s*(?:"|$)/.test(text)
    return key === 'arguments' || (key === 'name' && (value === undefined || this.names.has(value)))
  }

  private endsLikeCall(text: string, begin: number): boolean {
    if (this.end === undefined) {
      const from = Math.max(this.scanned, begin)
      const length = this.json.find(text.slice(from))
      this.scanned = text.length
      if (length === undefined) return true
      this.end = from + length
    }
    return (text.trimStart().startsWith('`') ? /^\s*`{0,3}\s*$/ : /^\s*$/).test(text.slice(this.end))
  }
}

/** The arguments stay as the model wrote them, so that numbers keep all of their digits. */
const callIn = (text: string, names: ReadonlySet<string>): ParserOutput | undefined => {
  const body = withoutFence(text.trim())
  const { name, args } = (nameFirst.exec(body) ?? argumentsFirst.exec(body))?.groups ?? {}
  if (name === undefined || args === undefined || !names.has(name) || !isJson(args)) return undefined
  return { chunk: { toolCall: { index: 0, id: newCallId(), name, arguments: args } } }
}

const withoutFence = (text: string): string => {
  const opening = openingFence.exec(text)?.[0] ?? ''
  return opening && text.endsWith('```') ? text.slice(opening.length, -3).trim() : text
}
