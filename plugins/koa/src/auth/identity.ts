/** Who makes a request. */
export interface Identity {
  /** The id of the key; nothing of one tenant is shown to another. */
  readonly tenant: string
  /** Ids and aliases of the models that may be used; all when absent. */
  readonly models?: readonly string[]
  /** Name of a policy that holds for its requests, beside those of models and routes. */
  readonly policy?: string
}

/** Everyone, where no key is asked for. */
export const anyone: Identity = { tenant: 'anonymous' }
