/** The parts of a configuration that plugins know: their options, their sections, their models' options. */

import { append } from '@sallyport/kit/lists'
import type { PluginDefinition, Config } from '@sallyport/core'
import { dictionary, isRecord } from '@sallyport/kit/json'
import type { Path } from '@sallyport/kit/json'
import { didYouMean, nearest } from '@sallyport/kit/text'
import { optionsChecker, configError } from '@sallyport/kit/schemas'
import type { Problem, JsonSchema } from '@sallyport/kit/schemas'
import { checkPolicies, checksOf } from './checks.js'
import { coreProperties } from './schema.js'

export interface Settings {
  /** The options of each plugin, in the order of `config.plugins`. */
  readonly pluginOptions: readonly object[]
  /** The models' options have their defaults. */
  readonly models: Config['models']
  /** The entries of checks have their defaults. */
  readonly policies: Config['policies']
  readonly callerPolicy: Config['callerPolicy']
}

/** Plugins by the names of their backends and of their checks. */
export interface PluginLookup {
  readonly backends: ReadonlyMap<string, string>
  readonly checks: ReadonlyMap<string, string>
}

/**
 * Checks options, sections and policies against the plugins' schemas, and fills in defaults. @throws config_invalid
 * @param notLoaded plugins that are installed and not loaded, for messages
 */
export const checkSettings = (
  config: Config,
  definitions: readonly PluginDefinition[],
  notLoaded: PluginLookup = { backends: new Map(), checks: new Map() },
): Settings => {
  const problems = [...unclaimedSections(config, definitions)]
  const keyProblem = (path: Path, problem: string): Problem => ({ path, part: 'key', problem })
  const check = (schema: PluginDefinition['options'], given: unknown, path: Path, whose: string): object => {
    const checked = optionsChecker(schema)(given, path)
    const refused = checked.problems.length && hasNoOptions(schema)
    append(problems, refused ? [keyProblem(path, `${whose} has no options: remove them`)] : checked.problems)
    return checked.value
  }
  const pluginOptions = definitions.map((definition, index) => {
    const { options } = config.plugins[index] ?? {}
    const { name, section } = definition
    const path = ['plugins', index, 'options']
    if (section === undefined) return check(definition.options, options, path, name)
    if (options) problems.push(keyProblem(path, `${name} has its options in the section "${section}": move them there`))
    return check(definition.options, config.sections[section], [section], name)
  })
  const backends = new Map(definitions.flatMap(({ backends }) => Object.entries(backends ?? {})))
  const models = Object.entries(config.models).map(([id, model]) => {
    const backend = backends.get(model.backend)
    if (!backend)
      problems.push(unknownBackend(id, model.backend, [...backends.keys()], definitions, notLoaded.backends))
    const whose = `the backend "${model.backend}"`
    if (backend?.files === 'none' && model.source !== undefined)
      problems.push(keyProblem(['models', id, 'source'], `models of ${whose} have no files: remove it`))
    const options = backend && check(backend.options, model.options, ['models', id, 'options'], whose)
    return [id, backend ? Object.freeze({ ...model, options }) : model]
  })
  const checks = [...checksOf(definitions).values()]
  const { problems: policyProblems, ...policies } = checkPolicies(config, checks, notLoaded.checks)
  append(problems, policyProblems)
  if (problems.length) throw configError(problems, config.where)
  const frozen = Object.freeze(dictionary(Object.fromEntries(models) as Config['models']))
  return { pluginOptions, ...policies, models: frozen }
}

const unknownBackend = (
  id: string,
  backend: string,
  known: readonly string[],
  definitions: readonly PluginDefinition[],
  notLoaded: PluginLookup['backends'],
): Problem => {
  const path = ['models', id, 'backend']
  const sectionAdvice = 'needs no entry here, remove this one'
  const named = definitions.find(({ name, models = {} }) => name === backend && Object.keys(models).length)
  const owner = definitions.find(({ models = {} }) => Object.hasOwn(models, backend))
  if (named) {
    const own = Object.keys(named.models ?? {})
    const shown = own.length > 3 ? [...own.slice(0, 3), '…'] : own
    const problem = `"${backend}" is a plugin that brings models, not backends: ${shown.join(', ')} ${sectionAdvice}`
    return { path, problem }
  }
  if (owner) {
    const problem = `"${backend}" is a model that the plugin ${owner.name} brings, and no backend: it ${sectionAdvice}`
    return { path, problem }
  }
  const plugin = notLoaded.get(backend)
  const meant = plugin === undefined ? didYouMean(backend, known) : `: add "${plugin}", which has it, to plugins`
  return { path, problem: `no loaded plugin has a backend "${backend}"${meant}` }
}

const hasNoOptions = (schema: PluginDefinition['options']): boolean =>
  schema === undefined || Object.keys(schema).every((keyword) => keyword === 'type' || keyword === 'description')

const unclaimedSections = (config: Config, definitions: readonly PluginDefinition[]): readonly Problem[] => {
  const known = new Map<string, JsonSchema>(Object.entries(coreProperties))
  for (const { section, options } of definitions) if (section !== undefined) known.set(section, options ?? {})
  return Object.keys(config.sections)
    .filter((section) => !known.has(section))
    .map((section) => ({
      path: [section],
      part: 'key',
      problem: `no loaded plugin reads "${section}": ${advice(section, known)}`,
    }))
}

const advice = (name: string, known: ReadonlyMap<string, JsonSchema>): string => {
  const meant = nearest(name, known.keys())
  if (meant !== undefined) return `did you mean "${meant}"?`
  const [around] =
    [...known].find(([, { properties }]) => isRecord(properties) && Object.hasOwn(properties, name)) ?? []
  return around === undefined ? 'add the plugin that does, or remove it' : `it belongs inside "${around}"`
}
