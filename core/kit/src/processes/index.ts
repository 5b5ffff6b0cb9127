/** Programs of the system and child processes. */

export { childEnvironment } from './child-environment.js'
export { GuardedProcess } from './guarded-process.js'
export type { ProgramStart } from './guarded-process.js'
export { OutputLines } from './output-lines.js'
export { findProgram } from './programs.js'
export { RestartPolicy, restartLimits } from './restart-policy.js'
export type { RestartDecision, RestartLimits } from './restart-policy.js'
