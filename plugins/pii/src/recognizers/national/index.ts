import type { Recognizer } from '../recognizer.js'
import { americas } from './americas.js'
import { asiaPacific } from './asia-pacific.js'
import { eastern } from './eastern.js'
import { northern } from './northern.js'
import { western } from './western.js'

export const national: readonly Recognizer[] = [...western, ...northern, ...eastern, ...americas, ...asiaPacific]
