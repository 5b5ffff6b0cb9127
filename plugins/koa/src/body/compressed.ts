import type { IncomingHttpHeaders } from 'node:http'
import { failure } from '@sallyport/core'

/** @throws unsupported_media for a body that would grow when it is read */
export const refuseCompressed = ({ 'content-encoding': encoding }: IncomingHttpHeaders): void => {
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw failure('unsupported_media', {
      problem: 'compressed bodies are not accepted: send it without Content-Encoding',
    })
}
