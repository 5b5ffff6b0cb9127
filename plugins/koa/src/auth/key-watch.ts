import type { IncomingHttpHeaders } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { failure, isSallyportError } from '@sallyport/core'
import { authenticate } from './credential.js'
import type { Authenticator, Identity } from './credential.js'

/** Milliseconds between two looks. */
const interval = 250

interface Running {
  readonly headers: IncomingHttpHeaders
  readonly identity: Identity
  readonly cut: (error: Error) => void
}

/** Ends requests whose key is revoked, expires, or comes to mean something else while they run. */
export class KeyWatch {
  private readonly running = new Set<Running>()
  private timer: NodeJS.Timeout | undefined

  constructor(private readonly keys: Authenticator) {}

  /** @returns what is called when the request has ended */
  watch(request: Running): () => void {
    this.running.add(request)
    this.timer ??= setInterval(() => this.look(), interval).unref()
    return () => this.forget(request)
  }

  private forget(request: Running): void {
    this.running.delete(request)
    if (this.running.size) return
    clearInterval(this.timer)
    this.timer = undefined
  }

  private look(): void {
    for (const request of this.running) {
      const error = this.refusalOf(request)
      if (!error) continue
      this.forget(request)
      request.cut(error)
    }
  }

  private refusalOf({ headers, identity }: Running): Error | undefined {
    try {
      return isDeepStrictEqual(authenticate(headers, this.keys), identity) ? undefined : failure('unauthenticated', {})
    } catch (error) {
      // What cannot be known, as when there are no more descriptors, is no reason to end what runs.
      return isSallyportError(error) && error.code === 'unauthenticated' ? error : undefined
    }
  }
}
