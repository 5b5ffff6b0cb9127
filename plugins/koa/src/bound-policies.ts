/** Policies that are bound to routes and keys; those of models are bound elsewhere. */

import { existsSync } from 'node:fs'
import type { BoundPolicy } from '@sallyport/core'
import { stateOf } from './auth/key-record.js'
import { KeyStore, keysDirectory } from './auth/key-store.js'
import type { ServerOptions } from './options.js'

/**
 * Lists the policies of the options and of active keys.
 * @param home the state directory, which is not changed
 * @throws config_invalid where the secret of the keys is damaged
 */
export const boundPolicies = ({ policies, auth }: ServerOptions, home: string): readonly BoundPolicy[] => [
  ...Object.entries(policies).map(([path, policy]) => ({ policy, by: `route ${path}` })),
  ...(auth && existsSync(keysDirectory(home)) ? new KeyStore(home).list() : []).flatMap((record) =>
    record.policy !== undefined && stateOf(record) === 'active'
      ? [{ policy: record.policy, by: `key ${record.name}` }]
      : [],
  ),
]
