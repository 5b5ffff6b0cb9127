/**
 * What a plugin's classes may have injected: `constructor(@inject(options) private readonly options: MyOptions)`. Where
 * nothing else is said, those of services, own models and backends alike.
 */

import type { InjectionToken } from 'tsyringe'
import type { Kernel, ModelOpener, ReportState } from '../kernel.js'
import type { Logger } from './logger.js'
import type { ModelSpec } from './model.js'

const token = <Service>(name: string): InjectionToken<Service> => Symbol.for(`sallyport.${name}`)

/** The plugin's own options, validated, with defaults, frozen. */
export const options = token<object>('options')

/** In a model backend: the model to load. */
export const modelSpec = token<ModelSpec>('model-spec')

export const logger = token<Logger>('logger')

/** Where relative paths of the configuration start: the directory of its file. */
export const baseDirectory = token<string>('base-directory')

/**
 * In a model backend of the kernel's process: tells the kernel that what it depends on is down, or back, once it is
 * loaded. It has no effect in a process of its own, whose state the kernel sees for itself.
 */
export const reportState = token<ReportState>('report-state')

/** The kernel, for plugins that use other capabilities or serve them; not in a backend of a process of its own. */
export const kernel = token<Kernel>('kernel')

/** In a model backend of the kernel's process: loads further models when they are needed. */
export const modelOpener = token<ModelOpener>('model-opener')

/**
 * Where state is kept, in processes of models, too, whose environment does not say it. Whoever writes there makes the
 * directory.
 */
export const home = token<string>('home')

/** Tells the person at the terminal something once, outside the log (a new key, the URL); not in a backend. */
export const announce = token<(lines: string) => void>('announce')
