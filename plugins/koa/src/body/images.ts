import { failure } from '@sallyport/core'
import { notAPicture, pictureFormat } from '@sallyport/kit/picture-format'

export interface Picture {
  readonly image: Uint8Array
  readonly mediaType: string
}

/**
 * A picture from a `data:` URI or bare base64. Its first bytes decide about the type, whatever its label says.
 * @throws invalid_request
 */
export const readPicture = (source: string, field: string): Picture =>
  pictureOf(decodeBase64(payloadOf(source, field), field), field)

/** Before any of them is decoded. @throws invalid_request */
export const refuseManyPictures = (count: number, most: number, field: string): void => {
  if (count > most)
    throw failure('invalid_request', { field, problem: `must hold at most ${most} pictures, not ${count}` })
}

/** Whether it is an address of a picture on the web. */
export const isAddress = (source: string): boolean => /^\s*https?:/i.test(source)

/** @throws invalid_request */
export const pictureOf = (bytes: Uint8Array, field: string): Picture => {
  const format = pictureFormat(bytes)
  if (!format) throw failure('invalid_request', { field, problem: notAPicture })
  return { image: bytes, mediaType: `image/${format}` }
}

const payloadOf = (source: string, field: string): string => {
  const scheme = /^\s*([a-z][a-z\d+.-]*):/i.exec(source)?.[1]?.toLowerCase()
  if (scheme === undefined) return source
  if (scheme !== 'data')
    throw failure('invalid_request', {
      field,
      problem: 'is of a scheme that is not read: send the picture as a data: URI',
    })
  const comma = source.indexOf(',')
  if (comma < 0 || !/;\s*base64\s*$/i.test(source.slice(0, Math.min(comma, 256))))
    throw failure('invalid_request', { field, problem: 'must be a data: URI in base64 (data:image/png;base64,…)' })
  return source.slice(comma + 1)
}

const decodeBase64 = (text: string, field: string): Buffer => {
  const compact = text.replace(/\s+/g, '')
  if (!compact || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(compact))
    throw failure('invalid_request', { field, problem: 'is not base64' })
  return Buffer.from(compact, 'base64')
}
