import type { Dispatcher } from 'undici'
import { checkedConnector } from './connector.js'
import { OutboundError } from './error.js'
import { ByteLimit } from './byte-limit.js'
import { announcedLength, toAnswer, collectBody, ExchangeTimer } from './exchange.js'
import type { OutboundAnswer, OutboundExchange, OutboundTimes } from './exchange.js'
import { AllowedHosts } from './hosts.js'
import { resolveByDns } from './resolve.js'
import type { Resolve } from './resolve.js'

/** What an operator allows. */
export interface OutboundRules {
  /** Hosts that may be contacted: see {@link AllowedHosts}. */
  readonly hosts: readonly string[]
  /** Whether private, shared and loopback addresses may be connected to. */
  readonly privateAddresses: boolean
}

export interface OutboundRequest extends Required<Pick<OutboundTimes, 'signal' | 'seconds'>> {
  /** The `accept` header: media types. */
  readonly accept: string
  /** The maximum size of the body in bytes. */
  readonly bytes: number
  /** Called with the size of memory before it is allocated; what it throws ends the reading. */
  readonly hold?: (bytes: number) => void
}

type Message = Pick<OutboundExchange, 'method' | 'headers' | 'body'> & Partial<Pick<OutboundExchange, 'credentials'>>

const maxRedirects = 3
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
/** Redirects that leave method and body as they are. */
const methodPreserving: ReadonlySet<number> = new Set([307, 308])
const maxHeaderBytes = 16 * 1024

/**
 * Fetches addresses that may come from requests (protection from SSRF). An address is parsed once, and every connection
 * to which it leads is checked where it is made; redirects are followed here, under the same rules. Of this server,
 * only the product's name is sent: no cookies, no referrer, and no credentials but those of the exchange. No proxy is
 * used, as it would look names up itself.
 */
export class OutboundFetch {
  private readonly hosts: AllowedHosts

  /** @throws config_invalid for invalid hosts */
  constructor(
    private readonly rules: OutboundRules,
    private readonly resolve: Resolve = resolveByDns,
  ) {
    this.hosts = new AllowedHosts(rules.hosts)
  }

  /**
   * Resolves with the body of an answer with the status 200.
   * @throws OutboundError; the reason of the caller's signal; what `hold` throws
   */
  get(address: string, { accept, bytes, hold, signal, seconds }: OutboundRequest): Promise<Buffer> {
    const message = { method: 'GET', headers: { accept }, signal, seconds } as const
    return this.ask(address, message, (answer, timer) => {
      if (answer.statusCode !== 200) throw new OutboundError('status', String(answer.statusCode))
      const { headers, body } = toAnswer(answer, () => new ByteLimit(bytes, false), timer)
      return collectBody(body, { bytes, hold, announced: announcedLength(headers['content-length']) })
    })
  }

  /**
   * Resolves with the answer after redirects, of any status. The body is read as it comes; to read it to its end, to
   * cancel it or to abort the signal closes the connection.
   * @throws OutboundError; the reason of the caller's signal
   */
  exchange(address: string, request: OutboundExchange): Promise<OutboundAnswer> {
    const limitOf = (type?: string) => new ByteLimit(request.bytes, isEventStream(type))
    return this.ask(address, request, (answer, timer) => toAnswer(answer, limitOf, timer))
  }

  private async ask<Answer>(
    address: string,
    message: Message & OutboundTimes,
    read: (response: Dispatcher.ResponseData, timer: ExchangeTimer) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    const url = this.checkedUrl(address)
    const timer = new ExchangeTimer(message)
    try {
      const dispatcher = await this.dispatcher(timer.signal)
      timer.onEnd(() => void dispatcher.destroy().catch(() => undefined))
      return await read(await this.follow(url, message, timer.signal, dispatcher), timer)
    } catch (error) {
      timer.end()
      message.signal.throwIfAborted()
      throw error
    }
  }

  /** Serves one request, so that no other request gets its connection, and none is kept. */
  private async dispatcher(signal: AbortSignal): Promise<Dispatcher> {
    const { Agent, buildConnector } = await import('undici')
    const { resolve, rules } = this
    return new Agent({
      connect: checkedConnector({ build: buildConnector, resolve, privateAddresses: rules.privateAddresses, signal }),
      // The signal enforces the time limits.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: maxHeaderBytes,
    })
  }

  private async follow(
    first: URL,
    message: Message,
    signal: AbortSignal,
    dispatcher: Dispatcher,
  ): Promise<Dispatcher.ResponseData> {
    let url = first
    let headers: Readonly<Record<string, string>> = { ...message.headers, ...message.credentials }
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      // Credentials are not sent even after a redirect back to the first origin: another origin has chosen that address.
      if (url.origin !== first.origin) headers = message.headers
      const answer = await send(url, { ...message, headers }, signal, dispatcher)
      if (!redirectStatuses.has(answer.statusCode)) return answer
      answer.body.destroy()
      if (message.method !== 'GET' && !methodPreserving.has(answer.statusCode))
        throw new OutboundError('redirect', `${answer.statusCode} would turn the request into a GET`)
      url = this.redirected(url, answer.headers['location'])
    }
    throw new OutboundError('redirect', `more than ${maxRedirects}`)
  }

  private redirected(from: URL, location: string | string[] | undefined): URL {
    try {
      if (typeof location !== 'string') throw new OutboundError('malformed', 'the redirect has no address')
      const url = this.checkedUrl(location, from)
      if (from.protocol === 'https:' && url.protocol !== 'https:')
        throw new OutboundError('scheme', 'from https to http')
      return url
    } catch (error) {
      throw new OutboundError('redirect', 'to an address that is not allowed', { cause: error })
    }
  }

  private checkedUrl(address: string, base?: URL): URL {
    if (!URL.canParse(address, base?.href)) throw new OutboundError('malformed', 'not a URL')
    const url = new URL(address, base)
    if (url.protocol !== 'https:' && url.protocol !== 'http:')
      throw new OutboundError('scheme', 'neither https nor http')
    if (url.username || url.password) throw new OutboundError('credentials', 'in the address')
    if (!this.hosts.has(url)) throw new OutboundError('host', url.host)
    return url
  }
}

const isEventStream = (type = ''): boolean => /^\s*text\/event-stream\s*(?:;|$)/i.test(type)

const send = async (
  url: URL,
  { method, headers, body }: Message,
  signal: AbortSignal,
  dispatcher: Dispatcher,
): Promise<Dispatcher.ResponseData> => {
  const { request } = await import('undici')
  const fixedHeaders = { 'accept-encoding': 'identity', 'user-agent': 'sallyport' }
  try {
    const options = { method, headers: { ...headers, ...fixedHeaders }, signal, dispatcher }
    const answer = await request(url, body === undefined ? options : { ...options, body })
    answer.body.on('error', () => undefined)
    return answer
  } catch (error) {
    throw error instanceof OutboundError ? error : new OutboundError('unreachable', url.host, { cause: error })
  }
}
