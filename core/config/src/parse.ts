import { failure } from '@sallyport/core'
import type { PluginDefinition, Config, ConfigInput, PluginEntry } from '@sallyport/core'
import { copyData, deepFreeze, dictionary, isRecord } from '@sallyport/kit/json'
import { configError, compileSchema } from '@sallyport/kit/schemas'
import type { Problem, Validate } from '@sallyport/kit/schemas'
import { applyOverrides } from './overrides.js'
import type { ConfigOverride } from './overrides.js'
import { Places } from './places.js'
import { meantEntry } from './policy-schema.js'
import { coreKeys, coreSchema } from './schema.js'

/**
 * A configuration from code. Sections of plugins and options are still as given: `loadPlugins` checks them.
 * @throws config_invalid
 */
export const parseConfig = (
  input: ConfigInput,
  baseDirectory: string,
  overrides: readonly ConfigOverride[] = [],
): Config => {
  const definitions = new Map<string, PluginDefinition>()
  const plugins = Array.isArray(input.plugins) ? { plugins: input.plugins.map(named(definitions)) } : {}
  const data = copyInput({ ...input, ...plugins })
  const config = assemble(data, new Places(), baseDirectory, overrides)
  return Object.freeze({ ...config, plugins: Object.freeze(config.plugins.map(withDefinition(definitions))) })
}

const copyInput = (input: Record<string, unknown>): Record<string, unknown> => {
  try {
    return copyData(input)
  } catch (error) {
    throw failure('config_invalid', { problem: error instanceof Error ? error.message : String(error) })
  }
}

/** Whether it has been through {@link parseConfig} or `loadConfig` already. */
export const isConfig = (value: ConfigInput | Config): value is Config => typeof value.where === 'function'

type Use = PluginEntry['use']

/** A definition is set aside under a name, so that what is left is plain data. */
const named =
  (definitions: Map<string, PluginDefinition>) =>
  (entry: Use | PluginEntry): object => {
    const { use, ...rest } = isEntry(entry) ? entry : { use: entry }
    if (typeof use === 'string') return { use, ...rest }
    if (use instanceof URL) return { use: use.href, ...rest }
    const name = `\u0000definition ${definitions.size}`
    definitions.set(name, use)
    return { use: name, ...rest }
  }

const isEntry = (entry: Use | PluginEntry): entry is PluginEntry => isRecord(entry) && 'use' in entry

const withDefinition =
  (definitions: ReadonlyMap<string, PluginDefinition>) =>
  (entry: PluginEntry): PluginEntry => {
    const definition = typeof entry.use === 'string' ? definitions.get(entry.use) : undefined
    return definition ? Object.freeze({ ...entry, use: definition }) : entry
  }

/** A configuration as data of one's own, with the parts that the core knows checked and filled in. */
export const assemble = (
  data: Record<string, unknown>,
  places: Places,
  baseDirectory: string,
  overrides: readonly ConfigOverride[],
): Config => {
  writeOut(data)
  applyOverrides(data, overrides, places)
  writeOut(data)
  const problems = validateCore(data).map((problem) => withMeant(problem, data))
  if (problems.length) throw configError(problems, places.where)
  return Object.freeze({ ...freezeParts(data as unknown as Checked), baseDirectory, where: places.where })
}

/** An action or a method where an entry of a policy belongs: `pii: replace`. */
const withMeant = ({ path, problem, ...rest }: Problem, data: unknown): Problem => {
  const isEntry = path[0] === 'policies' && path.length === 4
  const word = path.reduce<unknown>((value, key) => (isRecord(value) ? value[String(key)] : undefined), data)
  const meant = isEntry ? meantEntry(word) : undefined
  return { ...rest, path, problem: meant === undefined ? problem : `${problem}: write ${meant}` }
}

let validator: Validate | undefined

const validateCore: Validate = (data) => {
  validator ??= compileSchema(coreSchema)
  return validator(data)
}

/** What the schema has made sure of. */
type Checked = Omit<Config, 'sections' | 'where' | 'baseDirectory'> & Readonly<Record<string, unknown>>

const freezeParts = (checked: Checked): Omit<Config, 'where' | 'baseDirectory'> => {
  const { plugins, models, policies, callerPolicy, store, limits, log, ...others } = deepFreeze(checked)
  const sections = Object.entries(others).filter(([key]) => !coreKeys.includes(key)) as [string, object][]
  return {
    plugins,
    models: Object.freeze(dictionary(models)),
    policies: Object.freeze(dictionary(policies)),
    callerPolicy,
    store,
    limits,
    log,
    sections: Object.freeze(dictionary(Object.fromEntries(sections))),
  }
}

/** Writes short forms out, in place: what is validated has one form only. */
const writeOut = (config: Record<string, unknown>): void => {
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
