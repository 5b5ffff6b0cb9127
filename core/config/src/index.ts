/** The configuration file. */

export { composeSchema } from './published-schema.js'
export type { PublishedPlugin } from './published-schema.js'
export { loadConfig, shortName } from './load.js'
export { parseOverride } from './overrides.js'
export type { ConfigOverride } from './overrides.js'
export { isConfig, parseConfig } from './parse.js'
export { coreKeys, idPattern } from './schema.js'
export { checkSettings } from './settings.js'
export type { PluginLookup } from './settings.js'
export { readYaml } from './yaml-source.js'
export { checksOf } from './checks.js'
export { uniqueCapabilities } from './unique-capabilities.js'
