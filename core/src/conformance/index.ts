/** Tests that every implementation of a capability must pass, whoever wrote it. */

import 'reflect-metadata'

export type { ConformanceCase } from './case.js'
export type { ModelFacts, Pair } from './facts.js'
export { recordingLogger } from './recording-logger.js'
export type { LogLine } from './recording-logger.js'
export { conformanceCases, runConformance } from './run.js'
export type { ConformanceSetup, Made } from './run.js'
export { chunked, script, scriptRequest } from './script.js'
export { collectPieces, testCall } from './support.js'
export { turnsBeside } from './turns.js'
