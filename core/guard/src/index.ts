/** The safeguard chain: policies, checks, streams. */

export { activeCheck, findsSpans, noActiveChecks } from './policy/active-check.js'
export type { ActiveCheck, ActiveChecks } from './policy/active-check.js'
export { Progress } from './detect/budget.js'
export { combinedDetector } from './detect/combined-detector.js'
export { callerChecks, joinPolicies } from './policy/effective-policy.js'
export { validateRequestedChecks } from './policy/requested-checks.js'
export { guard } from './guard.js'
export type { GuardContext } from './guard.js'
export { inspectText, replaceInText } from './inspect-text.js'
export { InspectionCache } from './detect/inspection-cache.js'
