import { failure } from '@sallyport/core'

export interface Picture {
  readonly image: Uint8Array
  readonly mediaType: string
}

const signatures: readonly { readonly mediaType: string; readonly matches: (bytes: Buffer) => boolean }[] = [
  { mediaType: 'image/png', matches: (bytes) => bytes.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n' },
  { mediaType: 'image/jpeg', matches: (bytes) => bytes.toString('latin1', 0, 3) === '\xff\xd8\xff' },
  { mediaType: 'image/gif', matches: (bytes) => /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6)) },
  {
    mediaType: 'image/webp',
    matches: (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
  },
]

const formats = 'png, jpeg, webp or gif'

/**
 * A picture from a `data:` URI or bare base64. Its first bytes decide about the type, whatever its label says.
 * @throws invalid_request
 */
export const readPicture = (source: string, field: string): Picture => {
  const bytes = decodeBase64(payloadOf(source, field), field)
  const format = signatures.find(({ matches }) => matches(bytes))
  if (!format) throw failure('invalid_request', { field, problem: `is not a picture of the types ${formats}` })
  return { image: bytes, mediaType: format.mediaType }
}

const payloadOf = (source: string, field: string): string => {
  const scheme = /^\s*([a-z][a-z\d+.-]*):/i.exec(source)?.[1]?.toLowerCase()
  if (scheme === undefined) return source
  if (scheme !== 'data')
    throw failure('invalid_request', { field, problem: 'addresses are not fetched: send the picture as a data: URI' })
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
