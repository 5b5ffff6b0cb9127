import type { IncomingHttpHeaders } from 'node:http'
import { failure, isSallyportError } from '@sallyport/core'
import { TimeLimit, untilAborted } from '@sallyport/kit/async'
import type { Context } from 'koa'

const utf8 = /^(?:utf-?8|us-ascii)$/i

/**
 * Reads the bytes of a JSON body.
 * @throws payload_too_large, request_timeout, unsupported_media, client_closed, invalid_request
 */
export type BodyReader = (ctx: Context) => Promise<Buffer>

/**
 * koa-body collects the bytes and keeps the limit; it sees them as text in an encoding of one character per byte,
 * because its own JSON parser accepts invalid UTF-8 and any depth.
 */
export const bodyReader = (limit: number, seconds: number): BodyReader => {
  const textTypes = ['application/json', '+json']
  // It loads while the server starts; commands that serve nothing do without its 0.2 seconds.
  const loading = import('koa-body').then(({ koaBody }) =>
    koaBody({ json: false, urlencoded: false, textTypes, textLimit: limit, encoding: 'binary' }),
  )
  return async (ctx) => {
    const { headers } = ctx.req
    refuseOtherTypes(headers)
    headers['content-type'] ||= 'application/json'
    // koa-body misreads a Content-Length beyond 32 bits.
    if (Number(headers['content-length'] ?? 0) > limit) throw tooLarge(limit)
    const collect = await loading
    const time = new TimeLimit(undefined, { total: seconds * 1000, reason: () => failure('request_timeout', {}) })
    try {
      const collected = collect(ctx, () => Promise.resolve()) as Promise<void>
      await untilAborted(collected, time.signal)
    } catch (error) {
      throw readFailure(error, limit)
    } finally {
      time.end()
    }
    const body: unknown = ctx.request.body
    return Buffer.from(typeof body === 'string' ? body : '', 'latin1')
  }
}

/** A body without a content type is JSON; anything that is not JSON in UTF-8, or is compressed, is refused. */
const refuseOtherTypes = (headers: IncomingHttpHeaders): void => {
  refuseCompressed(headers)
  const [type = '', ...parameters] = (headers['content-type'] || 'application/json').split(';')
  if (!/^application\/(?:[\w.-]+\+)?json$/i.test(type.trim()))
    throw failure('unsupported_media', { problem: 'the content type must be application/json' })
  const charset = parameters.map((parameter) => /^\s*charset="?([^"]*)"?\s*$/i.exec(parameter)?.[1]).find(Boolean)
  if (charset !== undefined && !utf8.test(charset))
    throw failure('unsupported_media', { problem: 'the character set must be utf-8' })
}

/** @throws unsupported_media for a compressed body, whose size is not known before it is read */
export const refuseCompressed = ({ 'content-encoding': encoding }: IncomingHttpHeaders): void => {
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw failure('unsupported_media', {
      problem: 'compressed bodies are not accepted: send it without Content-Encoding',
    })
}

const tooLarge = (limit: number) => failure('payload_too_large', { limit: `${limit} bytes (server.limits.body)` })

const readFailure = (error: unknown, limit: number): Error => {
  if (isSallyportError(error)) return error
  const type = error instanceof Error && 'type' in error ? error.type : undefined
  if (type === 'entity.too.large') return tooLarge(limit)
  if (type === 'request.aborted') return failure('client_closed', {})
  if (type === 'request.size.invalid')
    return failure('invalid_request', { problem: 'the body is not as long as Content-Length says' })
  return failure('internal', {}, { cause: error })
}
