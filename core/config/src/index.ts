/** The configuration file. */

export { composeSchema } from './compose.js'
export type { PublishedPlugin } from './compose.js'
export { loadConfig, shortName } from './load.js'
export { parseOverride } from './overrides.js'
export type { ConfigOverride } from './overrides.js'
export { isConfig, parseConfig } from './parse.js'
export { coreKeys, idPattern } from './schema.js'
export { checkSettings } from './settings.js'
export type { Owners } from './settings.js'
export { readYaml } from './yaml-source.js'
export { checksOf } from './checks.js'
export { declaredOnce } from './declared.js'
