/** Conformance suites, which every implementation of a capability must pass, and helpers for tests of plugins. */

import 'reflect-metadata'

export type { ConformanceCase } from './conformance/case.js'
export type { ModelFacts, TextPair } from './conformance/facts.js'
export { splitIntoChunks, recordingLogger, scriptPlugin, scriptRequest, countTurns } from './conformance/helpers.js'
export type { LogLine } from './conformance/helpers.js'
export { conformanceCases, runConformance } from './conformance/run.js'
export type { ConformanceSetup, DisposableService } from './conformance/run.js'
export { collectChunks, testCall } from './conformance/support.js'
