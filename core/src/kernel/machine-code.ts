import { setFlagsFromString } from 'node:v8'

/**
 * From now on, V8 translates regular expressions into machine code when they are first used, in all of the process.
 * By itself it interprets each once and translates it at its second use, twice the work; of many large ones, most
 * are then left without optimisation, for the code of both counts towards its limit (16 MB), and are five times slower.
 */
export const patternsInMachineCode = (): void => setFlagsFromString('--no-regexp-tier-up')
