/** The pictures of one request, those that it names by their addresses included. */

import { failure } from '@sallyport/core'
import { mapBounded } from '@sallyport/kit/async'
import { OutboundError } from '@sallyport/outbound'
import type { GuardedFetch, OutboundReason } from '@sallyport/outbound'
import type { ServerOptions } from '../options.js'
import { isAddress, pictureOf, readPicture } from './images.js'
import type { Picture } from './images.js'

/** @throws invalid_request */
export type ReadPicture = (source: string, field: string) => Picture

export interface RequestPicturesParts {
  /** Absent where addresses are not fetched. */
  readonly fetch: GuardedFetch | undefined
  readonly options: Pick<ServerOptions, 'fetch'>
  readonly signal: AbortSignal
  /** Told of memory before it is taken. @throws overloaded */
  readonly hold: (bytes: number) => void
}

/** Fetched side by side for one request. */
const atOnce = 4
const accept = 'image/png, image/jpeg, image/webp, image/gif'

/** Stands for a picture until it is fetched. */
const standIn: Picture = { image: new Uint8Array(), mediaType: 'image/png' }

export class RequestPictures {
  /** Addresses, each with the field that names it first. */
  private readonly wanted = new Map<string, string>()
  private readonly fetched = new Map<string, Picture>()

  constructor(private readonly parts: RequestPicturesParts) {}

  /**
   * Converts a body. Where it names addresses, nothing is fetched before all else of it has been converted and checked.
   * @param convert is run again when the pictures are there
   * @param check throws for a request that need not be completed; pictures to be fetched are empty in it
   * @throws invalid_request, overloaded, and what the parts throw
   */
  async complete<Request>(
    convert: (read: ReadPicture) => Request,
    check: (draft: Request) => void = () => undefined,
  ): Promise<Request> {
    const draft = convert((source, field) => this.read(source, field))
    check(draft)
    if (!this.wanted.size) return draft
    await this.fetch()
    return convert((source, field) => this.fetched.get(source) ?? readPicture(source, field))
  }

  private read(source: string, field: string): Picture {
    if (!isAddress(source)) return readPicture(source, field)
    if (!this.parts.fetch)
      throw failure('invalid_request', {
        field,
        problem: 'addresses are not fetched: send the picture as a data: URI, or set server.fetch.images',
      })
    if (!this.wanted.has(source)) this.wanted.set(source, field)
    return standIn
  }

  private async fetch(): Promise<void> {
    const end = performance.now() + this.parts.options.fetch.seconds * 1000
    const over = new AbortController()
    const signal = AbortSignal.any([this.parts.signal, over.signal])
    try {
      await mapBounded([...this.wanted], atOnce, async ([address, field]) => {
        const bytes = await this.fetchOne(address, field, { signal, seconds: (end - performance.now()) / 1000 })
        this.fetched.set(address, pictureOf(bytes, field))
      })
    } finally {
      over.abort()
    }
  }

  private async fetchOne(
    address: string,
    field: string,
    limits: { signal: AbortSignal; seconds: number },
  ): Promise<Buffer> {
    const { fetch, hold, options } = this.parts
    const { bytes } = options.fetch
    try {
      if (!fetch || limits.seconds <= 0) throw new OutboundError('slow', 'other pictures have taken all the time')
      return await fetch.get(address, { ...limits, accept, bytes, hold })
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      const problem = `the picture could not be fetched (${problems[error.reason](options.fetch)})`
      throw failure('invalid_request', { field, problem }, { cause: error })
    }
  }
}

/** What a client is told: nothing of addresses that names stand for, and nothing of networks. */
const problems: Readonly<Record<OutboundReason, (options: ServerOptions['fetch']) => string>> = {
  malformed: () => 'its address is no valid URL',
  scheme: () => 'only https and http addresses are fetched',
  credentials: () => 'its address must not have a user name or password',
  host: () => 'its host or port is not allowed by server.fetch.hosts',
  unreachable: () => 'its address cannot be reached',
  redirect: () => 'it redirects more often than 3 times, or to an address that is not fetched',
  status: () => 'its server does not answer with the status 200',
  encoding: () => 'its server sends it compressed',
  too_large: ({ bytes }) => `it has more than the ${bytes} bytes of server.fetch.bytes`,
  slow: ({ seconds }) => `it takes longer than the ${seconds} seconds of server.fetch.seconds`,
  broken: () => 'its server broke off',
}
