import { spanCheck } from '@sallyport/core'

/** Credentials and private keys. The order has them replaced before the check for personal information runs. */
export const secrets = spanCheck('secrets', {
  stages: {
    input: 'Looks for credentials and private keys in what goes in.',
    output: 'Looks for credentials and private keys in what comes out.',
  },
  order: 150,
  message: 'secrets detected',
  methods: ['category', 'mask'],
  options: {
    allow: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
      description: 'Values that are no secrets, as they stand in texts: keys of examples, public keys of a service.',
    },
  },
})

/** Options of the check, as its schemas have them. */
export interface SecretsOptions {
  readonly allow: readonly string[]
}

/** @param options those of the request; absent where the detector is called without a check */
export const optionsOf = (options: unknown): SecretsOptions => ({ allow: [], ...(options as Partial<SecretsOptions>) })
