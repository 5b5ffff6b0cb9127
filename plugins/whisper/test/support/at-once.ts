import type { Step } from '../../src/step-gate.js'

/** Waits for nobody. */
export const atOnce: Step = async (run) => run()
