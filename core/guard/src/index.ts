/** The safeguard chain: policies, checks, streams. */

export { activeCheck, findsSpans, noActiveChecks } from './active-check.js'
export type { ActiveCheck, ActiveChecks } from './active-check.js'
export { Progress } from './budget.js'
export { combinedDetector } from './combined-detector.js'
export { callerChecks, joinPolicies } from './effective-policy.js'
export { mostPlaces, sumFindings } from './findings.js'
export { guard } from './guard.js'
export type { GuardContext } from './guard.js'
export { inspectText, replaceInText } from './inspect-text.js'
export { InspectionMemory } from './inspection-memory.js'
export { inspectionsAtOnce } from './soundness.js'
