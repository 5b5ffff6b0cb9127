import { expect } from 'chai'
import type { ChatChunk, TokenLogprob } from '@sallyport/core'
import type { AnswerRules } from '../../src/answer/answer-grammar.js'
import { AnswerParser } from '../../src/answer/answer-parser.js'
import type { CallSyntax, ReasoningSyntax } from '../../src/answer/syntax.js'

const tools = ['f', 'g'].map((name, index) => ({ name, field: `tools[${index}]` }))

export const rulesOf = (syntax?: CallSyntax, rest: Partial<AnswerRules> = {}, required = false): AnswerRules => ({
  ...(syntax ? { calls: { syntax, tools, required, parallel: true } } : {}),
  ...rest,
})

interface Read {
  text: string
  reasoning: string
  calls: { id: string; name: string; arguments: string }[]
  logprobs: TokenLogprob[]
}

/** Puts the chunks together, as a client does. */
export const collect = (chunks: Iterable<ChatChunk>): Read => {
  const read: Read = { text: '', reasoning: '', calls: [], logprobs: [] }
  for (const chunk of chunks) {
    if ('delta' in chunk) {
      expect(chunk.delta).not.to.equal('')
      read.text += chunk.delta
      read.logprobs.push(...(chunk.logprobs ?? []))
    } else if ('reasoning' in chunk) read.reasoning += chunk.reasoning
    else if ('toolCall' in chunk) {
      const { index, id, name, arguments: text } = chunk.toolCall
      if (id !== undefined && name !== undefined) {
        expect(index).to.equal(read.calls.length)
        read.calls.push({ id, name, arguments: '' })
      }
      read.calls[index]!.arguments += text
    }
  }
  return read
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

export const parse = (rules: AnswerRules, chunks: readonly string[]): Read => {
  const parser = new AnswerParser(rules)
  const read = collect([...chunks.flatMap((chunk) => [...parser.push(chunk)]), ...parser.end()])
  const last = read.calls.at(-1)?.arguments
  expect(parser.hasWholeCalls).to.equal(last !== undefined && isJson(last))
  return read
}

export const summary = ({ text, reasoning, calls }: Read) => ({
  ...(text === '' ? {} : { text }),
  ...(reasoning === '' ? {} : { reasoning }),
  ...(calls.length === 0 ? {} : { calls: calls.map((call) => [call.name, call.arguments]) }),
})

export const inPieces = (text: string, size: number): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size))

export const general = (name: string, text: string) =>
  `<tool_call>\n{"name": "${name}", "arguments": ${text}}\n</tool_call>`

export const think = (opened: boolean): ReasoningSyntax => ({ begin: '<think>', end: '</think>', opened })
