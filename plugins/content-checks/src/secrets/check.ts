import { spanCheck } from '@sallyport/core'
import type { OptionsOf } from '@sallyport/core'

const options = {
  allow: {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    default: [],
    description: 'Values that are not secrets, as texts have them: keys of examples, public keys of a service.',
  },
} as const

/** The check's own options. */
export type SecretsOptions = OptionsOf<{ type: 'object'; properties: typeof options }>

/** Credentials and private keys. The order has them replaced before the check for personal information runs. */
export const secrets = spanCheck('secrets', {
  stages: {
    input: 'Looks for credentials and private keys in what goes in.',
    output: 'Looks for credentials and private keys in what comes out.',
  },
  order: 150,
  message: 'secrets detected',
  methods: ['category', 'mask'],
  options,
})

/** @param given the options of the request; absent where the detector is called without a check */
export const optionsOf = (given: unknown): SecretsOptions => ({ allow: [], ...(given as Partial<SecretsOptions>) })
