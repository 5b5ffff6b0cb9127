import { failure } from '@sallyport/core'
import type { PluginDefinition, Config, ConfigInput, PluginEntry } from '@sallyport/core'
import { copyData, deepFreeze, dictionary, isRecord } from '@sallyport/kit/json'
import { configError, compileSchema } from '@sallyport/kit/schemas'
import type { Problem, Validate } from '@sallyport/kit/schemas'
import { applyOverrides } from './overrides.js'
import type { ConfigOverride } from './overrides.js'
import { Places } from './places.js'
import { suggestedEntry } from './policy-schema.js'
import { coreKeys, coreSchema } from './schema.js'

/** A configuration from code. `loadPlugins` checks the sections of plugins and the options. @throws config_invalid */
export const parseConfig = (
  input: ConfigInput,
  baseDirectory: string,
  overrides: readonly ConfigOverride[] = [],
): Config => {
  const definitions = new Map<string, PluginDefinition>()
  const plugins = Array.isArray(input.plugins) ? { plugins: input.plugins.map(namingDefinitions(definitions)) } : {}
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

/** Whether {@link parseConfig} or `loadConfig` returned this value. */
export const isConfig = (value: ConfigInput | Config): value is Config => typeof value.where === 'function'

type Use = PluginEntry['use']

/** Replaces a plugin's definition by a name, so that the configuration is plain data while it is validated. */
const namingDefinitions =
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

/** Applies overrides, validates the core's parts and fills in their defaults. @param data is changed in place */
export const assemble = (
  data: Record<string, unknown>,
  places: Places,
  baseDirectory: string,
  overrides: readonly ConfigOverride[],
): Config => {
  expandShortForms(data)
  applyOverrides(data, overrides, places)
  expandShortForms(data)
  validate ??= compileSchema(coreSchema)
  const problems = validate(data).map((problem) => withSuggestion(problem, data))
  if (problems.length) throw configError(problems, places.where)
  return Object.freeze({ ...freezeParts(data as unknown as ValidatedCore), baseDirectory, where: places.where })
}

/** Adds a suggestion where an entry of a policy is only an action or a method, as in `pii: replace`. */
const withSuggestion = ({ path, problem, ...rest }: Problem, data: unknown): Problem => {
  const isEntry = path[0] === 'policies' && path.length === 4
  const word = path.reduce<unknown>((value, key) => (isRecord(value) ? value[String(key)] : undefined), data)
  const meant = isEntry ? suggestedEntry(word) : undefined
  return { ...rest, path, problem: meant === undefined ? problem : `${problem}: write ${meant}` }
}

let validate: Validate | undefined

/** The type of data that the core's schema has validated. */
type ValidatedCore = Omit<Config, 'sections' | 'where' | 'baseDirectory'> & Readonly<Record<string, unknown>>

const freezeParts = (checked: ValidatedCore): Omit<Config, 'where' | 'baseDirectory'> => {
  const { plugins, models, policies, callerPolicy, load, store, limits, log, ...others } = deepFreeze(checked)
  const sections = Object.entries(others).filter(([key]) => !coreKeys.includes(key)) as [string, object][]
  return {
    ...{ plugins, callerPolicy, load, store, limits, log },
    models: Object.freeze(dictionary(models)),
    policies: Object.freeze(dictionary(policies)),
    sections: Object.freeze(dictionary(Object.fromEntries(sections))),
  }
}

/** Expands short forms in place, so that the schema validates one form only. */
const expandShortForms = (config: Record<string, unknown>): void => {
  for (const key of Object.keys(config)) if (config[key] === null) expandEmpty(config, key)
  const { plugins, policies, callerPolicy } = config
  if (Array.isArray(plugins))
    config.plugins = plugins.map((entry: unknown) => (typeof entry === 'string' ? { use: entry } : entry))
  if (isRecord(policies)) for (const policy of Object.values(policies)) expandChecks(policy, true)
  expandChecks(callerPolicy, false)
}

/** A section that is empty, for instance because all of it is commented out, counts as missing. */
const expandEmpty = (config: Record<string, unknown>, key: string): void => {
  if (coreKeys.includes(key)) Reflect.deleteProperty(config, key)
  else config[key] = {}
}

/** `true` stands for a check with its defaults, `false` for no check, and a detector may be the id of a model. */
const expandChecks = (policy: unknown, mayBeOff: boolean): void => {
  if (!isRecord(policy)) return
  for (const checks of [policy['input'], policy['output']].filter(isRecord))
    for (const [name, entry] of Object.entries(checks)) {
      if (entry === true) checks[name] = {}
      else if (entry === false && mayBeOff) Reflect.deleteProperty(checks, name)
      else if (isRecord(entry) && Array.isArray(entry['detectors']))
        entry['detectors'] = entry['detectors'].map((one: unknown) => (typeof one === 'string' ? { model: one } : one))
    }
}
