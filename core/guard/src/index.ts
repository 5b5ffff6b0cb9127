/** The safeguard chain: policies, checks, streams. */

export { Progress } from './budget.js'
export { blockedBy } from './checks.js'
export type { CheckName, Detectors } from './checks.js'
export { callerPolicy, joinPolicies, noChecks } from './effective-policy.js'
export { mostPlaces, sumFindings } from './findings.js'
export { guard } from './guard.js'
export type { GuardContext } from './guard.js'
export { acrossIfOffered, inspectReadings, replaceInReadings } from './inspect-readings.js'
export type { AskAcross } from './inspect-readings.js'
export { InspectionMemory } from './inspection-memory.js'
export { inspectionsAtOnce, soundComparison, soundInspection } from './soundness.js'
