import { spanCheck } from '@sallyport/core'

/** Credentials and private keys. What is replaced is so before personal information is looked for in it. */
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

/** @param options as a request has them: absent where a detector is asked by itself */
export const optionsOf = (options: unknown): SecretsOptions => ({ allow: [], ...(options as Partial<SecretsOptions>) })
