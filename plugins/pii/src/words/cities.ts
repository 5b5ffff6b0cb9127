import byContinent from './cities.json' with { type: 'json' }
import { wordsOf } from './lists.js'

/**
 * Large and well-known cities, as they are written in English, and some as they are written at home. Those that are
 * names of people or words more often (Nice, Reading, Florence, Austin) are left to the model.
 */
export const cities: readonly string[] = wordsOf(...Object.values(byContinent))
