/** The images of one request, those that it names by their addresses included. */

import { failure } from '@sallyport/core'
import { mapBounded } from '@sallyport/kit/async'
import { notAnImage, imageFormat } from '@sallyport/kit/image-format'
import { OutboundError } from '@sallyport/outbound'
import type { GuardedFetch, OutboundReason } from '@sallyport/outbound'
import { invalidField } from '../invalid-field.js'
import type { ServerOptions } from '../options.js'

export interface Image {
  readonly image: Uint8Array
  readonly mediaType: string
}

/** @throws invalid_request */
export type ReadImage = (source: string, field: string) => Image

/** Before any of them is decoded. @throws invalid_request */
export const refuseManyImages = (count: number, max: number, field: string): void => {
  if (count > max) throw invalidField(field, `must hold at most ${max} pictures, not ${count}`)
}

/**
 * A image from a `data:` URI or bare base64. Its first bytes decide about the type, whatever its label says.
 * @throws invalid_request
 */
const readImage: ReadImage = (source, field) => imageOf(decodeBase64(payloadOf(source, field), field), field)

const imageOf = (bytes: Uint8Array, field: string): Image => {
  const format = imageFormat(bytes)
  if (!format) throw invalidField(field, notAnImage)
  return { image: bytes, mediaType: `image/${format}` }
}

const payloadOf = (source: string, field: string): string => {
  const scheme = /^\s*([a-z][a-z\d+.-]*):/i.exec(source)?.[1]?.toLowerCase()
  if (scheme === undefined) return source
  if (scheme !== 'data') throw invalidField(field, 'is of a scheme that is not read: send the picture as a data: URI')
  const comma = source.indexOf(',')
  if (comma < 0 || !/;\s*base64\s*$/i.test(source.slice(0, Math.min(comma, 256))))
    throw invalidField(field, 'must be a data: URI in base64 (data:image/png;base64,…)')
  return source.slice(comma + 1)
}

const decodeBase64 = (text: string, field: string): Buffer => {
  const compact = text.replace(/\s+/g, '')
  if (!compact || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(compact)) throw invalidField(field, 'is not base64')
  return Buffer.from(compact, 'base64')
}

const isAddress = (source: string): boolean => /^\s*https?:/i.test(source)

interface RequestImagesParts {
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

/** Stands for a image until it is fetched. */
const standIn: Image = { image: new Uint8Array(), mediaType: 'image/png' }

export class RequestImages {
  /** Whether the request has any. */
  private found = false
  /** Addresses, each with the field that names it first. */
  private readonly wanted = new Map<string, string>()
  private readonly fetched = new Map<string, Image>()

  constructor(private readonly parts: RequestImagesParts) {}

  /**
   * Converts a body. Where it names addresses, nothing is fetched before all else of it has been converted and checked.
   * @param convert is run again when the images are there
   * @param check throws for a request that may have no images
   * @throws invalid_request, overloaded, and what the parts throw
   */
  async complete<Request>(convert: (read: ReadImage) => Request, check: () => void): Promise<Request> {
    const draft = convert((source, field) => this.read(source, field))
    if (this.found) check()
    if (!this.wanted.size) return draft
    await this.fetch()
    return convert((source, field) => this.fetched.get(source) ?? readImage(source, field))
  }

  private read(source: string, field: string): Image {
    this.found = true
    if (!isAddress(source)) return readImage(source, field)
    if (!this.parts.fetch)
      throw invalidField(
        field,
        'addresses are not fetched: send the picture as a data: URI, or set server.fetch.images',
      )
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
        this.fetched.set(address, imageOf(bytes, field))
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
