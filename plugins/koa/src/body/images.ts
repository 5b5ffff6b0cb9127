/** The images of a request: those in its body, and those that it names by URL, which are fetched. */

import { failure } from '@sallyport/core'
import { mapBounded } from '@sallyport/kit/async'
import { notAnImage, imageFormat } from '@sallyport/kit/image-format'
import { OutboundError } from '@sallyport/outbound'
import type { OutboundFetch, OutboundReason } from '@sallyport/outbound'
import { invalidField } from '../invalid-field.js'
import type { ServerOptions } from '../options.js'

export interface Image {
  readonly image: Uint8Array
  readonly mediaType: string
}

/** @throws invalid_request */
export type ReadImage = (source: string, field: string) => Image

/** Refuses a request with too many images, before any is decoded. @throws invalid_request */
export const refuseManyImages = (count: number, max: number, field: string): void => {
  if (count > max) throw invalidField(field, `must hold at most ${max} images, not ${count}`)
}

/** Reads an image from a `data:` URI or bare base64. The media type comes from its first bytes, not from its label. */
const readImage: ReadImage = (source, field) => imageOf(decodeBase64(payloadOf(source, field), field), field)

const imageOf = (bytes: Uint8Array, field: string): Image => {
  const format = imageFormat(bytes)
  if (!format) throw invalidField(field, notAnImage)
  return { image: bytes, mediaType: `image/${format}` }
}

const payloadOf = (source: string, field: string): string => {
  const scheme = /^\s*([a-z][a-z\d+.-]*):/i.exec(source)?.[1]?.toLowerCase()
  if (scheme === undefined) return source
  if (scheme !== 'data') throw invalidField(field, 'has an unsupported URL scheme: send the image as a data: URI')
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

const isHttpUrl = (source: string): boolean => /^\s*https?:/i.test(source)

interface RequestImagesContext {
  /** Absent where URLs are not fetched. */
  readonly fetch: OutboundFetch | undefined
  readonly options: Pick<ServerOptions, 'fetch'>
  readonly signal: AbortSignal
  /** Reserves memory. @throws overloaded */
  readonly reserve: (bytes: number) => void
}

/** How many images of a request are fetched at the same time. */
const maxConcurrent = 4
const accept = 'image/png, image/jpeg, image/webp, image/gif'

/** Takes the place of an image until it is fetched. */
const placeholder: Image = { image: new Uint8Array(), mediaType: 'image/png' }

export class RequestImages {
  /** Whether the request has any. */
  private hasImages = false
  /** The URLs to fetch, each with the first field that names it. */
  private readonly urls = new Map<string, string>()
  private readonly fetched = new Map<string, Image>()

  constructor(private readonly context: RequestImagesContext) {}

  /**
   * Converts a body with images. They are fetched only after the rest of the body has been converted and checked.
   * @param convert is called again when the images have been fetched
   * @param check rejects for a model that reads no images
   * @throws invalid_request, overloaded, and what `fetch` and `reserve` throw
   */
  async complete<Request>(convert: (read: ReadImage) => Request, check: () => Promise<void>): Promise<Request> {
    const draft = convert((source, field) => this.read(source, field))
    if (this.hasImages) await check()
    if (!this.urls.size) return draft
    await this.fetch()
    return convert((source, field) => this.fetched.get(source) ?? readImage(source, field))
  }

  private read(source: string, field: string): Image {
    this.hasImages = true
    if (!isHttpUrl(source)) return readImage(source, field)
    if (!this.context.fetch)
      throw invalidField(field, 'image URLs are not fetched: send the image as a data: URI, or set server.fetch.images')
    if (!this.urls.has(source)) this.urls.set(source, field)
    return placeholder
  }

  private async fetch(): Promise<void> {
    const end = performance.now() + this.context.options.fetch.seconds * 1000
    const finished = new AbortController()
    const signal = AbortSignal.any([this.context.signal, finished.signal])
    try {
      await mapBounded([...this.urls], maxConcurrent, async ([url, field]) => {
        this.fetched.set(url, imageOf(await this.fetchOne(url, field, signal, end), field))
      })
    } finally {
      finished.abort()
    }
  }

  private async fetchOne(url: string, field: string, signal: AbortSignal, end: number): Promise<Buffer> {
    const { fetch, reserve, options } = this.context
    const { bytes } = options.fetch
    const seconds = (end - performance.now()) / 1000
    try {
      if (!fetch || seconds <= 0) throw new OutboundError('slow', 'other images have taken all the time')
      return await fetch.get(url, { signal, seconds, accept, bytes, hold: reserve })
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      const problem = `the image could not be fetched (${problems[error.reason](options.fetch)})`
      throw failure('invalid_request', { field, problem }, { cause: error })
    }
  }
}

/** The messages for clients, which reveal neither IP addresses nor anything about the network. */
const problems: Readonly<Record<OutboundReason, (options: ServerOptions['fetch']) => string>> = {
  malformed: () => 'its URL is invalid',
  scheme: () => 'only https and http URLs are fetched',
  credentials: () => 'its URL must not have a user name or password',
  host: () => 'its host or port is not allowed by server.fetch.hosts',
  unreachable: () => 'its URL cannot be reached',
  redirect: () => 'it redirects more often than 3 times, or to a URL that is not fetched',
  status: () => 'its server does not answer with the status 200',
  encoding: () => 'its server sends it compressed',
  too_large: ({ bytes }) => `it has more than the ${bytes} bytes of server.fetch.bytes`,
  slow: ({ seconds }) => `it takes longer than the ${seconds} seconds of server.fetch.seconds`,
  broken: () => 'its server broke off',
}
