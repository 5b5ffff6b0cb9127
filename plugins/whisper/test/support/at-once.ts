import type { RunStep } from '../../src/step-scheduler.js'

/** Waits for nobody. */
export const atOnce: RunStep = async (run) => run()
