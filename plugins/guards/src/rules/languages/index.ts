import { asia } from './asia.js'
import { germanic } from './germanic.js'
import type { Language } from './language.js'
import { nearEast } from './near-east.js'
import { otherWords } from './other-words.js'
import { romance } from './romance.js'
import { slavic } from './slavic.js'

/** All but English, whose families have phrases. */
export const languages: readonly Language[] = [...germanic, ...romance, ...slavic, ...otherWords, ...nearEast, ...asia]
