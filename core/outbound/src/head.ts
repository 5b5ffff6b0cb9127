import type { Dispatcher } from 'undici'
import { OutboundError } from './error.js'

type Headers = Dispatcher.ResponseData['headers']

/** @throws OutboundError for a body that is compressed: what it unpacks to has no limit */
export const refuseEncoded = (headers: Headers): void => {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') throw new OutboundError('encoding', String(encoding))
}

/** Bytes of the body, where the head says that. */
export const announcedLength = (header: string | string[] | undefined): number | undefined =>
  typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined
