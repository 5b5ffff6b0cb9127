/**
 * Values that can be injected into a plugin's classes: `constructor(@inject(options) private readonly options:
 * MyOptions)`. Unless stated otherwise, into services, models of plugins and backends alike.
 */

import type { InjectionToken } from 'tsyringe'
import type { Kernel, MetricsText, ModelOpener, ReportState } from '../kernel.js'
import type { Logger } from './logger.js'
import type { ModelSpec } from './model.js'

const token = <Value>(name: string): InjectionToken<Value> => Symbol.for(`sallyport.${name}`)

/** The plugin's own options, validated, with defaults, frozen. */
export const options = token<object>('options')

/** In a model backend: the model to load. */
export const modelSpec = token<ModelSpec>('model-spec')

export const logger = token<Logger>('logger')

/** The base of relative paths in the configuration: the directory of its file. */
export const baseDirectory = token<string>('base-directory')

/**
 * In a model backend of the kernel's process: reports that what the loaded model depends on is down, or back. It has no
 * effect in a process of its own, whose state the kernel knows.
 */
export const reportState = token<ReportState>('report-state')

/** The kernel, for plugins that use other capabilities or serve them; not in a backend with `isolation`. */
export const kernel = token<Kernel>('kernel')

/** In a model backend without `isolation`: loads further models when they are needed. */
export const modelOpener = token<ModelOpener>('model-opener')

/**
 * The directory where state is kept; processes of models get it, too, though their environment lacks it. Whoever writes
 * there creates the directory.
 */
export const home = token<string>('home')

/** Prints something once for the person at the terminal, outside the log (a new key, the URL); not in a backend. */
export const announce = token<(lines: string) => void>('announce')

/** Makes metrics known to the kernel, whose adapters serve them; not in a backend. */
export const provideMetrics = token<(text: MetricsText) => void>('provide-metrics')
