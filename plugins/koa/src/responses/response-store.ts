/** What is kept of one response. Items are as the interface describes those of requests. */
export interface KeptResponse {
  readonly id: string
  /** The id of the response that it continues. */
  readonly previous: string | undefined
  /** As it is shown. */
  readonly response: object
  /** Of its own request. */
  readonly input: readonly object[]
  readonly output: readonly { readonly id?: string }[]
}

/** One turn of a conversation. */
export interface Turn {
  readonly previous: string | undefined
  /** Those of the request, and behind them those of the response. */
  readonly items: readonly unknown[]
}

/** Told of bytes before what they say is read. @throws overloaded, rate_limited */
export type Hold = (bytes: number) => void

/**
 * Keeps responses, each for whoever asked for it: to others it is as unknown as none. What another process stands in
 * the way of is `overloaded`.
 */
export interface ResponseStore {
  /** @throws insufficient_storage */
  put(tenant: string, kept: KeptResponse): void
  /** The response as it is shown; undefined for one that is not kept. */
  response(tenant: string, id: string): unknown
  turn(tenant: string, id: string, hold: Hold): Turn | undefined
  /** One item of a response's output. */
  item(tenant: string, id: string, hold: Hold): unknown
  /** Returns false for one that is not kept. @throws insufficient_storage */
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
