import byContinent from './cities.json' with { type: 'json' }
import { wordsOf } from './lists.js'

/**
 * Large and well-known cities, as they are written in English, and some in the local language. Those that are more
 * often names of people or words (Nice, Reading, Florence, Austin) are left to the model.
 */
export const cities: readonly string[] = wordsOf(...Object.values(byContinent))
