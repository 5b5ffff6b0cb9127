/** A stored response. Its items have the form that items have in requests. */
export interface StoredResponse {
  readonly id: string
  /** The id of the response that it continues. */
  readonly previous: string | undefined
  /** The response as clients get it. */
  readonly response: object
  /** The items of its own request, without those of earlier responses. */
  readonly input: readonly object[]
  readonly output: readonly { readonly id?: string }[]
}

/** One turn of a conversation. */
export interface Turn {
  readonly previous: string | undefined
  /** The items of the request, followed by those of the response. */
  readonly items: readonly unknown[]
}

/** Reserves bytes before they are parsed. @throws overloaded, rate_limited */
export type ReserveBytes = (bytes: number) => void

/**
 * Stores responses, each for its tenant alone: for other tenants it does not exist. Methods throw `overloaded` while
 * another process locks the database.
 */
export interface ResponseStore {
  /** @throws insufficient_storage */
  put(tenant: string, stored: StoredResponse): void
  /** The response as clients get it; undefined for one that is not stored. */
  response(tenant: string, id: string): unknown
  turn(tenant: string, id: string, reserve: ReserveBytes): Turn | undefined
  /** One item of a response's output. */
  item(tenant: string, id: string, reserve: ReserveBytes): unknown
  /** Returns false for a response that is not stored. @throws insufficient_storage */
  delete(tenant: string, id: string): boolean
  close(): void
}

export interface StoreLimits {
  /** Seconds. */
  readonly expireAfter: number
  /** The bytes of all responses. */
  readonly bytes: number
  /** The bytes of one tenant's responses. */
  readonly perTenant: number
}
