/** What a request names is fetched here, and nowhere else. */

import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { isSallyportError } from '../errors/index.js'
import { checkedConnector } from './connector.js'
import { OutboundError } from './error.js'
import { AllowedHosts } from './hosts.js'
import { readBody } from './read-body.js'
import type { BodyLimits } from './read-body.js'
import { resolveByDns } from './resolve.js'
import type { Resolve } from './resolve.js'

/** What an operator allows. */
export interface OutboundRules {
  /** Hosts that may be asked: see {@link AllowedHosts}. */
  readonly hosts: readonly string[]
  /** Whether private, shared and loopback addresses may be connected to. */
  readonly privateAddresses: boolean
}

export interface OutboundRequest extends BodyLimits {
  /** The caller's; its reason is what is thrown when it is aborted. */
  readonly signal: AbortSignal
  /** For everything together: name, connection, redirects and body. */
  readonly seconds: number
  /** Media types that are asked for. */
  readonly accept: string
}

const mostRedirects = 3
const redirecting: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const largestHead = 16 * 1024

/**
 * GET of addresses that come from requests. An address is parsed once, and every connection that it leads to is checked
 * where it is made; redirects are followed by hand under the same rules. Nothing of the server goes along: no
 * credentials, no cookies, no referrer, and no proxy, which would look names up for itself.
 */
export class GuardedFetch {
  private readonly hosts: AllowedHosts

  /** @throws config_invalid for hosts that are none */
  constructor(
    private readonly rules: OutboundRules,
    private readonly resolve: Resolve = resolveByDns,
  ) {
    this.hosts = new AllowedHosts(rules.hosts)
  }

  /**
   * The body of an answer with the status 200.
   * @throws OutboundError; the reason of the caller's signal; what `hold` throws
   */
  async get(address: string, request: OutboundRequest): Promise<Buffer> {
    const url = this.checked(parse(address))
    const deadline = AbortSignal.timeout(Math.ceil(request.seconds * 1000))
    const signal = AbortSignal.any([request.signal, deadline])
    const dispatcher = await this.dispatcher(signal)
    try {
      const answer = await this.follow(url, { ...request, signal }, dispatcher)
      return await readAnswer(answer, { ...request, signal })
    } catch (error) {
      request.signal.throwIfAborted()
      throw error
    } finally {
      dispatcher.destroy().catch(() => undefined)
    }
  }

  /** For one address, so that no connection is met again by another request, and none is kept. */
  private async dispatcher(signal: AbortSignal): Promise<Dispatcher> {
    const { Agent, buildConnector } = await import('undici')
    const { resolve, rules } = this
    return new Agent({
      connect: checkedConnector({ build: buildConnector, resolve, privateAddresses: rules.privateAddresses, signal }),
      // The signal has the deadline.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: largestHead,
    })
  }

  private async follow(first: URL, request: OutboundRequest, dispatcher: Dispatcher): Promise<Dispatcher.ResponseData> {
    let url = first
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      const answer = await send(url, request, dispatcher)
      if (!redirecting.has(answer.statusCode)) return answer
      answer.body.destroy()
      url = this.redirected(url, answer.headers['location'])
    }
    throw new OutboundError('redirect', `more than ${mostRedirects}`)
  }

  private redirected(from: URL, location: string | string[] | undefined): URL {
    try {
      if (typeof location !== 'string') throw new OutboundError('malformed', 'a redirect to nowhere')
      const url = this.checked(parse(location, from))
      if (from.protocol === 'https:' && url.protocol !== 'https:')
        throw new OutboundError('scheme', 'from https to http')
      return url
    } catch (error) {
      throw new OutboundError('redirect', 'to an address that is not asked', { cause: error })
    }
  }

  private checked(url: URL): URL {
    if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new OutboundError('scheme', url.protocol)
    if (url.username || url.password) throw new OutboundError('credentials', 'in the address')
    if (!this.hosts.has(url)) throw new OutboundError('host', url.host)
    return url
  }
}

const parse = (address: string, base?: URL): URL => {
  if (!URL.canParse(address, base?.href)) throw new OutboundError('malformed', 'no URL')
  return new URL(address, base)
}

const send = async (
  url: URL,
  { accept, signal }: OutboundRequest,
  dispatcher: Dispatcher,
): Promise<Dispatcher.ResponseData> => {
  const { request } = await import('undici')
  const headers = { accept, 'accept-encoding': 'identity', 'user-agent': 'sallyport' }
  try {
    const answer = await request(url, { method: 'GET', headers, signal, dispatcher })
    answer.body.on('error', () => undefined)
    return answer
  } catch (error) {
    throw error instanceof OutboundError ? error : new OutboundError('unreachable', url.host, { cause: error })
  }
}

const readAnswer = async (
  { statusCode, headers, body }: Dispatcher.ResponseData,
  limits: BodyLimits,
): Promise<Buffer> => {
  try {
    if (statusCode !== 200) throw new OutboundError('status', String(statusCode))
    const encoding = headers['content-encoding'] ?? 'identity'
    if (encoding !== 'identity') throw new OutboundError('encoding', String(encoding))
    return await readBody(
      body as Readable & AsyncIterable<Uint8Array>,
      announcedLength(headers['content-length']),
      limits,
    )
  } catch (error) {
    if (error instanceof OutboundError || isSallyportError(error)) throw error
    if (limits.signal.aborted) throw new OutboundError('slow', 'the deadline has passed', { cause: error })
    throw new OutboundError('broken', 'the answer did not end', { cause: error })
  }
}

const announcedLength = (header: string | string[] | undefined): number | undefined =>
  typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined
