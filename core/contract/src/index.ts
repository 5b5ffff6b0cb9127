/** What authors of plugins import. */

import 'reflect-metadata'

export { inject, injectable } from 'tsyringe'
export * from './capabilities/index.js'
export type * from './config.js'
export * from './errors/index.js'
export type * from './kernel.js'
export * from './plugin/logger.js'
export * from './plugin/model.js'
export type * from './plugin/options-of.js'
export * from './plugin/other-model.js'
export * from './plugin/plugin.js'
export * from './plugin/tokens.js'
export * from './policy.js'
export * from './vault.js'
