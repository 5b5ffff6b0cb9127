import { setTimeout } from 'node:timers/promises'
import type { Call, Logger } from '@sallyport/core'
import { TimeLimit } from '@sallyport/kit/async'
import type { Dispatcher } from 'undici'
import type { UpstreamOptions } from '../options.js'
import type { JsonEvents, WireBody } from '../wire/generation.js'
import { BadReply, parseJson } from '../wire/read.js'
import { endpointUrl } from './address.js'
import { Dialect } from './dialect.js'
import { ReplyEvents } from './events.js'
import { exchange } from './exchange.js'
import type { HttpRequest, ReplyTimeouts, Reply } from './exchange.js'
import { ErrorMapper } from './error-mapper.js'
import { readRefusal, Refusal, refusalIn } from './refusal.js'
import { retryAfterOf, retryDelay } from './retry.js'
import { secretRedactor } from './secrets.js'

const mebibyte = 1024 * 1024
/** The maximum number of bytes that are read of the body of an error. */
const maxErrorBytes = 64 * 1024

/** The server to which requests go. */
export interface Endpoint {
  /** The model's id in the configuration, for errors. */
  readonly model: string
  readonly dispatcher: Dispatcher
  /** The current base URL. @throws model_unavailable while a supervised server is down */
  url(): URL
}

/** A request to the server. */
export interface UpstreamRequest {
  /** The path below the base URL. */
  readonly path: string
  readonly outsideV1?: true
  /** Without a body, the method is GET. */
  readonly body?: WireBody
}

type ClientSettings = Pick<UpstreamOptions, 'url' | 'apiKey' | 'headers' | 'timeouts' | 'retries' | 'limits'>

type Accept = 'text/event-stream' | 'application/json'

/** Calls an OpenAI-compatible server, with time-outs, retries, limits, and errors of the table. */
export class UpstreamClient {
  #dialect = new Dialect()
  readonly #errors: ErrorMapper
  readonly #timeouts: ReplyTimeouts
  readonly #headers: Readonly<Record<string, string>>

  constructor(
    private readonly endpoint: Endpoint,
    private readonly settings: ClientSettings,
    private readonly logger: Logger,
  ) {
    const { apiKey, headers, timeouts } = settings
    this.#errors = new ErrorMapper(endpoint.model, logger, secretRedactor(settings))
    this.#timeouts = { ...timeouts, timeoutError: this.#errors.timeoutError }
    this.#headers = {
      // a compressed response of a few kilobytes may expand until memory is exhausted
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
    request: UpstreamRequest,
    call: Call,
    decode: (events: JsonEvents) => AsyncIterable<Chunk>,
  ): AsyncGenerator<Chunk> {
    call.signal.throwIfAborted()
    const { limit, open } = this.#session(request, 'text/event-stream', call)
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
      throw this.#errors.toThrow(error, request.body ?? {}, call)
    } finally {
      limit.end()
      if (complete) reply?.drain()
      else reply?.destroy()
    }
  }

  /** @throws errors of the table; the signal's reason */
  async ask<Answer>(request: UpstreamRequest, call: Call, decode: (answer: unknown) => Answer): Promise<Answer> {
    call.signal.throwIfAborted()
    const { limit, open } = this.#session(request, 'application/json', call)
    let reply: Reply | undefined
    try {
      reply = await open()
      return decode(await this.#json(reply))
    } catch (error) {
      throw this.#errors.toThrow(error, request.body ?? {}, call)
    } finally {
      limit.end()
      reply?.destroy()
    }
  }

  #session(request: UpstreamRequest, accept: Accept, call: Call) {
    const { total } = this.settings.timeouts
    const reason = () => this.#errors.tookTooLong(total)
    const limit = new TimeLimit(call.signal, { total: total * 1000, reason })
    return { limit, open: () => this.#open(request, accept, call, limit) }
  }

  /** Sends the request until the answer is neither a transient error nor a complaint about an unknown field. */
  async #open(request: UpstreamRequest, accept: Accept, call: Call, limit: TimeLimit): Promise<Reply> {
    let dialect = this.#dialect
    for (let retries = 0; ;) {
      const body = request.body && dialect.apply(request.body)
      try {
        const reply = await this.#attempt({ ...request, ...(body ? { body } : {}) }, accept, call, limit)
        this.#learn(dialect)
        return reply
      } catch (error) {
        const adapted = error instanceof Refusal && body ? dialect.learn(error, body) : undefined
        if (adapted) {
          dialect = adapted
          continue
        }
        const delay = retryDelay(error, retries, this.settings.retries, call.deadline)
        if (delay === undefined || limit.signal.aborted) throw error
        retries += 1
        this.logger.debug({ requestId: call.requestId, retries, delay }, 'trying the upstream server again')
        await setTimeout(delay * 1000, undefined, { signal: limit.signal }).catch(() => undefined)
        limit.signal.throwIfAborted()
      }
    }
  }

  /** Remembers a dialect only once it has succeeded, because an error may quote a request that names such fields. */
  #learn(dialect: Dialect): void {
    if (dialect === this.#dialect) return
    this.#dialect = this.#dialect.merge(dialect)
    const fields = [...this.#dialect.unknownFields]
    this.logger.warn({ fields }, 'from now on, fields that the upstream server does not know are omitted or renamed')
  }

  async #attempt(
    { path, outsideV1, body }: UpstreamRequest,
    accept: Accept,
    call: Call,
    limit: TimeLimit,
  ): Promise<Reply> {
    const request: HttpRequest = {
      url: endpointUrl(this.endpoint.url(), path, outsideV1),
      method: body ? 'POST' : 'GET',
      headers: { ...this.#headers, ...call.trace, accept, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: wellFormed(JSON.stringify(body)) } : {}),
    }
    const reply = await exchange(this.endpoint.dispatcher, request, limit, this.#timeouts)
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
      const text = compressed ? '' : await reply.text(maxErrorBytes).catch(() => '')
      const retryAfter = retryAfterOf((name) => reply.header(name))
      throw readRefusal(status, text, retryAfter)
    }
    if (compressed) throw new BadReply('its response is compressed, although the request does not accept that')
    if (accept !== 'text/event-stream' || /^text\/event-stream\b/i.test(type)) return
    if (/\bjson\b/i.test(type)) await this.#json(reply)
    throw new BadReply('its response is not a stream of events')
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
