/** A client on bare `node:http`: what it costs itself must not be measured. */

import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { EventParser } from './sse.js'
import { StreamClock } from './stream-timing.js'
import type { StreamTiming } from './stream-timing.js'

export interface ChatPrompt {
  readonly system: string
  readonly user: string
}

export interface ChatAsk {
  readonly prompt: ChatPrompt
  readonly maxTokens: number
  /** JSON Schema that the answer must fit. */
  readonly schema?: object
}

export interface AskOptions {
  /** Aborting closes the connection. */
  readonly signal?: AbortSignal
  /** Hears of each piece of text; `pieces` is the count so far. */
  readonly onText?: (pieces: number) => void
}

export class ChatClient {
  constructor(
    private readonly url: string,
    private readonly model: string,
  ) {}

  /** Asks greedily and streaming, and says when what came. */
  async ask({ prompt, maxTokens, schema }: ChatAsk, { signal, onText }: AskOptions = {}): Promise<StreamTiming> {
    const body = JSON.stringify({
      model: this.model,
      messages: [
        { role: 'system', content: prompt.system },
        { role: 'user', content: prompt.user },
      ],
      max_tokens: maxTokens,
      temperature: 0,
      stream: true,
      stream_options: { include_usage: true },
      ...(schema
        ? { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } } }
        : {}),
    })
    const clock = new StreamClock(performance.now())
    const response = await this.post(body, signal)
    if (response.statusCode !== 200) throw new Error(`${this.url}: ${response.statusCode} ${await text(response)}`)
    const parser = new EventParser()
    let pieces = 0
    for await (const bytes of response) {
      const now = performance.now()
      for (const event of parser.push(bytes as Uint8Array)) {
        const count = clock.take(event, now)
        if (count > pieces) onText?.((pieces = count))
      }
    }
    return clock.done(performance.now())
  }

  private post(body: string, signal: AbortSignal | undefined): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
      // llama-server ends idle connections as it likes: each request has its own
      const options = { method: 'POST', agent: false, headers, ...(signal ? { signal } : {}) }
      request(`${this.url}/v1/chat/completions`, options, resolve).on('error', reject).end(body)
    })
  }
}
