/** What is kept of one response. Items are as the interface describes those of requests. */
export interface KeptResponse {
  readonly id: string
  /** As it is shown. */
  readonly response: object
  /** The whole conversation before it. */
  readonly input: readonly object[]
  readonly output: readonly { readonly id?: string }[]
}

/**
 * Keeps responses, each for whoever asked for it: to others it is as unknown as none. What another process stands in
 * the way of is `overloaded`.
 */
export interface ResponseStore {
  /** @throws insufficient_storage */
  put(tenant: string, kept: KeptResponse): void
  /** The response as it is shown; undefined for one that is not kept. */
  response(tenant: string, id: string): unknown
  /** The conversation with the response at its end. */
  items(tenant: string, id: string): readonly unknown[] | undefined
  /** One item of a response's output. */
  item(tenant: string, id: string): unknown
  /** Returns false for one that is not kept. */
  remove(tenant: string, id: string): boolean
  close(): void
}

export interface StoreLimits {
  /** Seconds. */
  readonly expireAfter: number
  /** Of all responses. */
  readonly bytes: number
  /** Of those of one tenant. */
  readonly perTenant: number
}
