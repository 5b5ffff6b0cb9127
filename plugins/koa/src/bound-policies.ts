/** What brings policies to requests beside the models': routes and keys. */

import { existsSync } from 'node:fs'
import type { BoundPolicy } from '@sallyport/core'
import { stateOf } from './auth/key-record.js'
import { KeyStore, keysIn } from './auth/key-store.js'
import type { ServerOptions } from './options.js'

/**
 * Those of the options and of the keys that work.
 * @param home where the project keeps its state; nothing is made there
 * @throws config_invalid where the secret of the keys is damaged
 */
export const boundPolicies = ({ policies, auth }: ServerOptions, home: string): readonly BoundPolicy[] => [
  ...Object.entries(policies).map(([path, policy]) => ({ policy, by: `route ${path}` })),
  ...(auth && existsSync(keysIn(home)) ? new KeyStore(home).list() : []).flatMap((record) =>
    record.policy !== undefined && stateOf(record) === 'active'
      ? [{ policy: record.policy, by: `key ${record.name}` }]
      : [],
  ),
]
