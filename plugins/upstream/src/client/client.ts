import type { Call, Logger } from '@sallyport/core'
import type { Dispatcher } from 'undici'
import type { UpstreamOptions } from '../options.js'
import type { JsonEvents, WireBody } from '../wire/generation.js'
import { BadReply, parseJson } from '../wire/read.js'
import { under } from './address.js'
import { Dialect } from './dialect.js'
import { ReplyEvents } from './events.js'
import { exchange } from './exchange.js'
import type { Outgoing, Patience, Reply } from './exchange.js'
import { Problems } from './problems.js'
import { readRefusal, Refusal, refusalIn } from './refusal.js'
import { retryAfterOf, retryDelay } from './retry.js'
import { hideSecrets } from './secrets.js'
import { Watch } from './watch.js'

const mebibyte = 1024 * 1024
/** Bytes of an error's body that are read. */
const maxError = 64 * 1024

/** Where requests go. */
export interface Endpoint {
  /** The model's id with us, for errors. */
  readonly model: string
  readonly dispatcher: Dispatcher
  /** The base URL now. @throws model_unavailable while a server of our own is down */
  url(): URL
}

/** What is asked of the server. */
export interface Question {
  /** Below the base URL, or beside the `/v1` that it ends in. */
  readonly path: string
  readonly beside?: true
  /** Absent: GET. */
  readonly body?: WireBody
}

export type ClientSettings = Pick<UpstreamOptions, 'url' | 'apiKey' | 'headers' | 'timeouts' | 'retries' | 'limits'>

type Accept = 'text/event-stream' | 'application/json'

/** Calls an OpenAI-compatible server: time-outs, retries, limits, and errors of the table. */
export class UpstreamClient {
  #dialect = new Dialect()
  readonly #problems: Problems
  readonly #patience: Patience
  readonly #headers: Readonly<Record<string, string>>

  constructor(
    private readonly endpoint: Endpoint,
    private readonly settings: ClientSettings,
    private readonly logger: Logger,
  ) {
    const { apiKey, headers, timeouts } = settings
    this.#problems = new Problems(endpoint.model, logger, hideSecrets(settings))
    this.#patience = { ...timeouts, expired: this.#problems.expired }
    this.#headers = {
      // A compressed answer of a few kilobytes may fill the memory.
      'accept-encoding': 'identity',
      'user-agent': 'sallyport',
      ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    }
  }

  /**
   * Chunks of a streamed answer. The connection is closed at once when the call is aborted or the consumer stops.
   * @throws errors of the table; the signal's reason
   */
  async *stream<Chunk>(
    question: Question,
    call: Call,
    decode: (events: JsonEvents) => AsyncIterable<Chunk>,
  ): AsyncGenerator<Chunk> {
    call.signal.throwIfAborted()
    const { watch, open } = this.#session(question, 'text/event-stream', call)
    let reply: Reply | undefined
    let complete = false
    try {
      reply = await open()
      const { stream, event } = this.settings.limits
      const events = new ReplyEvents(reply, { stream: stream * mebibyte, event: event * mebibyte })
      for await (const chunk of decode(events)) {
        call.signal.throwIfAborted()
        yield chunk
      }
      complete = true
    } catch (error) {
      throw this.#problems.explain(error, question.body ?? {}, call)
    } finally {
      watch.dispose()
      if (complete) reply?.settle()
      else reply?.destroy()
    }
  }

  /** @throws errors of the table; the signal's reason */
  async ask<Answer>(question: Question, call: Call, decode: (answer: unknown) => Answer): Promise<Answer> {
    call.signal.throwIfAborted()
    const { watch, open } = this.#session(question, 'application/json', call)
    let reply: Reply | undefined
    try {
      reply = await open()
      return decode(await this.#json(reply))
    } catch (error) {
      throw this.#problems.explain(error, question.body ?? {}, call)
    } finally {
      watch.dispose()
      reply?.destroy()
    }
  }

  #session(question: Question, accept: Accept, call: Call) {
    const { total } = this.settings.timeouts
    const watch = new Watch(call.signal, total, () => this.#problems.tookTooLong(total))
    return { watch, open: () => this.#open(question, accept, call, watch) }
  }

  /** The first answer that is no passing error, and that the server does not give for want of knowing a field. */
  async #open(question: Question, accept: Accept, call: Call, watch: Watch): Promise<Reply> {
    let dialect = this.#dialect
    for (let retries = 0; ;) {
      const body = question.body && dialect.apply(question.body)
      try {
        const reply = await this.#attempt({ ...question, ...(body ? { body } : {}) }, accept, watch)
        this.#learn(dialect)
        return reply
      } catch (error) {
        const adapted = error instanceof Refusal && body ? dialect.after(error, body) : undefined
        if (adapted) {
          dialect = adapted
          continue
        }
        const delay = retryDelay(error, retries, this.settings.retries, call.deadline)
        if (delay === undefined || watch.signal.aborted) throw error
        retries += 1
        this.logger.debug({ requestId: call.requestId, retries, delay }, 'trying the upstream server again')
        await watch.pause(delay)
      }
    }
  }

  /** Only what led to an answer is remembered: a text in a request could look like a complaint. */
  #learn(dialect: Dialect): void {
    if (dialect === this.#dialect) return
    this.#dialect = this.#dialect.with(dialect)
    this.logger.warn({ fields: this.#dialect.fields }, 'the upstream server does not know fields: no longer sent so')
  }

  async #attempt({ path, beside, body }: Question, accept: Accept, watch: Watch): Promise<Reply> {
    const request: Outgoing = {
      url: under(this.endpoint.url(), path, beside),
      method: body ? 'POST' : 'GET',
      headers: { ...this.#headers, accept, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: wellFormed(JSON.stringify(body)) } : {}),
    }
    const reply = await exchange(this.endpoint.dispatcher, request, watch, this.#patience)
    try {
      await this.#check(reply, accept)
      return reply
    } catch (error) {
      reply.destroy()
      throw error
    }
  }

  /** @throws Refusal, BadReply */
  async #check(reply: Reply, accept: Accept): Promise<void> {
    const { status } = reply
    const type = reply.header('content-type') ?? ''
    const encoding = reply.header('content-encoding') ?? 'identity'
    const compressed = encoding.trim().toLowerCase() !== 'identity'
    if (status < 200 || status > 299) {
      const text = compressed ? '' : await reply.text(maxError).catch(() => '')
      throw readRefusal(
        status,
        text,
        retryAfterOf((name) => reply.header(name)),
      )
    }
    if (compressed) throw new BadReply('its answer is compressed, which was not asked for')
    if (accept !== 'text/event-stream' || /^text\/event-stream\b/i.test(type)) return
    if (/\bjson\b/i.test(type)) await this.#json(reply)
    throw new BadReply('its answer is not a stream of events')
  }

  async #json(reply: Reply): Promise<unknown> {
    const value = parseJson(await reply.text(this.settings.limits.body * mebibyte))
    const refusal = refusalIn(value)
    if (refusal) throw refusal
    return value
  }
}

/** Lone surrogates, which JSON escapes and many parsers refuse, become U+FFFD. */
const wellFormed = (json: string): string =>
  json.includes('\\ud')
    ? json.replace(/\\\\|\\ud[89a-f][0-9a-f]{2}/g, (escape) => (escape === '\\\\' ? escape : '\ufffd'))
    : json
