import type { Step } from '../../src/model/step-gate.js'

/** Waits for nobody. */
export const atOnce: Step = async (run) => run()
