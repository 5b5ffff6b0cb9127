import type { IncomingHttpHeaders } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { failure, isSallyportError } from '@sallyport/core'
import { authenticate } from './credential.js'
import type { Authenticator, Identity } from './credential.js'

/** Milliseconds between two checks of the keys of running requests. */
const interval = 250

interface WatchedRequest {
  readonly headers: IncomingHttpHeaders
  readonly identity: Identity
  readonly abort: (error: Error) => void
}

/** Aborts running requests when their key is revoked or expires, or its rights change. */
export class KeyWatch {
  private readonly running = new Set<WatchedRequest>()
  private timer: NodeJS.Timeout | undefined

  constructor(private readonly keys: Authenticator) {}

  /** @returns a function to call when the request has ended */
  watch(request: WatchedRequest): () => void {
    this.running.add(request)
    this.timer ??= setInterval(() => this.checkKeys(), interval).unref()
    return () => this.forget(request)
  }

  private forget(request: WatchedRequest): void {
    this.running.delete(request)
    if (this.running.size) return
    clearInterval(this.timer)
    this.timer = undefined
  }

  private checkKeys(): void {
    for (const request of this.running) {
      const error = this.refusalOf(request)
      if (!error) continue
      this.forget(request)
      request.abort(error)
    }
  }

  private refusalOf({ headers, identity }: WatchedRequest): Error | undefined {
    try {
      const now = authenticate(headers, this.keys)
      return isDeepStrictEqual(rightsOf(now), rightsOf(identity)) ? undefined : failure('unauthenticated', {})
    } catch (error) {
      // A failed look-up, as when file descriptors run out, does not abort a request.
      return isSallyportError(error) && error.code === 'unauthenticated' ? error : undefined
    }
  }
}

/** What a change of ends running requests; a change of quotas is for those to come. */
const rightsOf = ({ tenant, models, policy }: Identity) => ({ tenant, models, policy })
