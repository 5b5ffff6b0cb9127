import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { text as readAll } from 'node:stream/consumers'
import type { ChatPrompt } from '../client/chat-client.js'
import { EventParser } from '../client/sse.js'

/** A streamed answer: what had been said when. */
export interface TimedText {
  readonly text: string
  /** Milliseconds from the request to its end. */
  readonly time: number
  /** Milliseconds from the request, and the characters that had come by then. */
  readonly pieces: readonly { readonly at: number; readonly length: number }[]
  readonly tokens: number
}

interface Chunk {
  readonly choices?: readonly { readonly delta?: { readonly content?: string | null } }[]
  readonly usage?: { readonly completion_tokens: number } | null
  readonly error?: unknown
}

/** Asks greedily. @throws when the answer, or its end, is an error */
export const timedText = async (url: string, model: string, prompt: ChatPrompt, tokens: number): Promise<TimedText> => {
  const messages = Object.entries(prompt).map(([role, content]) => ({ role, content: content as string }))
  const options = { stream: true, stream_options: { include_usage: true }, max_tokens: tokens, temperature: 0 }
  const started = performance.now()
  const headers = { 'content-type': 'application/json' }
  const sent = request(`${url}/v1/chat/completions`, { method: 'POST', agent: false, headers })
  const [response] = (await once(sent.end(JSON.stringify({ model, messages, ...options })), 'response')) as [
    IncomingMessage,
  ]
  if (response.statusCode !== 200) throw new Error(`${response.statusCode}: ${await readAll(response)}`)
  const parser = new EventParser()
  const pieces: { at: number; length: number }[] = []
  let [text, completion] = ['', 0]
  for await (const bytes of response) {
    const at = performance.now() - started
    for (const data of parser.push(bytes as Uint8Array)) {
      if (data === '[DONE]') continue
      const { choices = [], usage, error } = JSON.parse(data) as Chunk
      if (error !== undefined) throw new Error(`the stream ended with an error: ${data}`)
      text += choices.map(({ delta }) => delta?.content ?? '').join('')
      completion = usage?.completion_tokens ?? completion
    }
    if (text.length > (pieces.at(-1)?.length ?? 0)) pieces.push({ at, length: text.length })
  }
  return { text, time: performance.now() - started, pieces, tokens: completion }
}

/** Sentences that are over within a text, the space behind them included. */
const sentenceEnd = /[.!?…]["')\]]*\s|\n/g

/** How many sentences of an answer had been said at a time. */
export const sentencesBy = ({ text, pieces }: TimedText, time: number): number => {
  const length = pieces.findLast(({ at }) => at <= time)?.length ?? 0
  return [...text.slice(0, length).matchAll(sentenceEnd)].filter(({ index }) => index >= shortest).length
}

/** Characters of what counts as a sentence at the begin. */
const shortest = 16
