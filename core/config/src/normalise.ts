/** Short forms, written out: what is validated has one form only. */

import { isRecord } from '@sallyport/kit/json'
import { policyChecks } from './policy-schema.js'
import { coreKeys } from './schema.js'

/** Changes the configuration in place. */
export const writeOut = (config: Record<string, unknown>): void => {
  for (const key of Object.keys(config)) if (config[key] === null) writeOutEmpty(config, key)
  const { plugins, policies, callerPolicy } = config
  if (Array.isArray(plugins))
    config.plugins = plugins.map((entry: unknown) => (typeof entry === 'string' ? { use: entry } : entry))
  if (isRecord(policies)) for (const policy of Object.values(policies)) writeOutChecks(policy, true)
  writeOutChecks(callerPolicy, false)
}

/** A heading with nothing below it (all of it commented out, say) is as good as none. */
const writeOutEmpty = (config: Record<string, unknown>, key: string): void => {
  if (coreKeys.includes(key)) Reflect.deleteProperty(config, key)
  else config[key] = {}
}

/** `pii: true` is a check with its defaults, `pii: false` none. */
const writeOutChecks = (policy: unknown, mayBeOff: boolean): void => {
  if (!isRecord(policy)) return
  for (const [stage, checks] of Object.entries(policyChecks)) {
    const written = policy[stage]
    if (!isRecord(written)) continue
    for (const name of Object.keys(checks)) {
      if (written[name] === true) written[name] = {}
      else if (written[name] === false && mayBeOff) Reflect.deleteProperty(written, name)
    }
  }
}
