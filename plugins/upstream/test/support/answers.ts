import type { Answer } from './stand-in.js'

const eventStream = { 'content-type': 'text/event-stream' }

/** Server-sent events with these values, and `[DONE]`. */
export const streamText = (...values: unknown[]): string =>
  [...values.map((value) => JSON.stringify(value)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('')

/** A whole stream. */
export const stream = (...values: unknown[]): Answer => streamed(streamText(...values))

/** A stream of exactly this text or these bytes. */
export const streamed =
  (body: string | Buffer): Answer =>
  (response) =>
    response.writeHead(200, eventStream).end(body)

/** The beginning of a stream, after which the server does something else. */
export const begun =
  (text: string, then: Answer): Answer =>
  (response, asked) => {
    response.writeHead(200, eventStream).write(text, () => then(response, asked))
  }

export const json =
  (value: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))

/** An error as OpenAI writes it. */
export const refusal = (status: number, error: object, headers: Record<string, string> = {}): Answer =>
  json({ error }, status, headers)

/** Cuts the connection. */
export const cut: Answer = (_, { socket }) => socket.destroy()

/** Says nothing more. */
export const hang: Answer = () => undefined

/** One chunk of chat. */
export const chunk = (delta: object, rest: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: null, ...rest }],
})

export const says = (content: string) => chunk({ content })

export const ends = (finish_reason = 'stop') => chunk({}, { finish_reason })

export const counts = (prompt_tokens: number, completion_tokens: number, more: object = {}) => ({
  choices: [],
  usage: { prompt_tokens, completion_tokens, ...more },
})

/** The shortest good answer. */
export const hello = stream(chunk({ role: 'assistant', content: '' }), says('Hel'), says('lo'), ends(), counts(5, 2))
