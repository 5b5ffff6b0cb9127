/** Short forms, written out: what is validated has one form only. */

import { isRecord } from '@sallyport/kit/json'
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

/** An entry that is `true` is a check with its defaults, one that is `false` none; a detector may be a name. */
const writeOutChecks = (policy: unknown, mayBeOff: boolean): void => {
  if (!isRecord(policy)) return
  for (const checks of [policy['input'], policy['output']].filter(isRecord))
    for (const [name, entry] of Object.entries(checks)) {
      if (entry === true) checks[name] = {}
      else if (entry === false && mayBeOff) Reflect.deleteProperty(checks, name)
      else if (isRecord(entry) && Array.isArray(entry['detectors']))
        entry['detectors'] = entry['detectors'].map((one: unknown) => (typeof one === 'string' ? { model: one } : one))
    }
}
