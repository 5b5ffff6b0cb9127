import type { Readable } from 'node:stream'
import { getProxyForUrl } from 'proxy-from-env'
import type { Dispatcher } from 'undici'
import { failure, systemCode } from '@sallyport/core'
import type { Environment } from '@sallyport/kit/installation'
import { SourceError } from '../problems.js'

const defaultEndpoint = 'https://huggingface.co'
const maxRedirects = 8
/** Milliseconds. */
const timeouts = { headersTimeout: 30_000, bodyTimeout: 30_000, connect: { timeout: 15_000 } }

export type Headers = Readonly<Record<string, string>>

export interface HubResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: Readable
  /** Headers of all answers of the hub itself, without those of other origins to which it redirected. */
  readonly announced: Headers
}

interface HubRequest {
  readonly method: 'GET' | 'HEAD'
  /** Below the hub's address. */
  readonly path: string
  readonly headers?: Headers
  readonly signal: AbortSignal
}

/** Sends requests to the hub. Redirects are followed here, so that the token goes to the hub's own origin alone. */
export class HubConnection {
  readonly endpoint: URL
  private readonly token: string | undefined
  private readonly dispatchers = new Map<string, Dispatcher>()

  constructor(environment: Environment) {
    this.endpoint = parseEndpoint(environment.HF_ENDPOINT || defaultEndpoint)
    this.token = environment.HF_TOKEN?.trim() || undefined
  }

  get hasToken(): boolean {
    return this.token !== undefined
  }

  /** A HEAD request does not follow the hub to another origin, as the hub's own headers are there. @throws SourceError */
  async send(request: HubRequest): Promise<HubResponse> {
    let url = new URL(this.endpoint.pathname.replace(/\/$/, '') + request.path, this.endpoint)
    let announced: Headers = {}
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const response = await this.sendOnce(url, request)
      if (url.origin === this.endpoint.origin) announced = { ...response.headers, ...announced }
      const next = redirectOf(response, url)
      if (!next || (request.method === 'HEAD' && next.origin !== this.endpoint.origin))
        return { ...response, announced }
      response.body.destroy()
      if (next.protocol !== 'https:' && next.protocol !== this.endpoint.protocol)
        throw new SourceError('redirects to an address that is not https')
      url = next
    }
    throw new SourceError('redirects without end')
  }

  private async sendOnce(url: URL, { method, headers, signal }: HubRequest): Promise<Omit<HubResponse, 'announced'>> {
    const { request } = await import('undici')
    const token = url.origin === this.endpoint.origin ? this.token : undefined
    try {
      const response = await request(url, {
        method,
        headers: {
          'user-agent': 'sallyport',
          'accept-encoding': 'identity',
          ...headers,
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        signal,
        dispatcher: await this.dispatcherFor(url),
      })
      response.body.on('error', () => undefined)
      return { status: response.statusCode, headers: plain(response.headers), body: response.body }
    } catch (error) {
      signal.throwIfAborted()
      const problem = `cannot be reached (${describe(error)}): check the network, HTTPS_PROXY and HF_ENDPOINT`
      throw new SourceError(problem, true, error)
    }
  }

  private async dispatcherFor(url: URL): Promise<Dispatcher> {
    const { Agent, ProxyAgent } = await import('undici')
    const proxy = getProxyForUrl(url.href)
    const known = this.dispatchers.get(proxy)
    const dispatcher = known ?? (proxy ? new ProxyAgent({ ...timeouts, uri: proxy }) : new Agent(timeouts))
    this.dispatchers.set(proxy, dispatcher)
    return dispatcher
  }
}

const parseEndpoint = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && ['http:', 'https:'].includes(url.protocol) && !url.username && !url.password) return url
  throw failure('config_invalid', { problem: 'HF_ENDPOINT is not the address of a hub: write it as https://host' })
}

const redirectOf = ({ status, headers }: { status: number; headers: Headers }, from: URL): URL | undefined => {
  const location = headers.location
  if (status < 300 || status > 399 || location === undefined) return undefined
  if (!URL.canParse(location, from.href)) throw new SourceError('redirects to an invalid address')
  const url = new URL(location, from)
  url.username = ''
  url.password = ''
  return url
}

const plain = (headers: Record<string, string | string[] | undefined>): Headers =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? (value[0] ?? '') : value]],
    ),
  )

const describe = (error: unknown): string =>
  systemCode(error) ?? systemCode(error instanceof Error ? error.cause : undefined) ?? 'no connection'
