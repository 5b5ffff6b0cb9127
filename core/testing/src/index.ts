/** Tests that every implementation of a capability must pass, whoever wrote it. */

import 'reflect-metadata'

export type { ConformanceCase } from './conformance/case.js'
export type { ModelFacts, Pair } from './conformance/facts.js'
export { recordingLogger } from './conformance/recording-logger.js'
export type { LogLine } from './conformance/recording-logger.js'
export { conformanceCases, runConformance } from './conformance/run.js'
export type { ConformanceSetup, Made } from './conformance/run.js'
export { chunked, script, scriptRequest } from './conformance/script.js'
export { collectPieces, testCall } from './conformance/support.js'
export { turnsBeside } from './conformance/turns.js'
