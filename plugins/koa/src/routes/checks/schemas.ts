/** What answers of checks have in common. */

import type { Schema } from '../../body/schema.js'
import { answer, opaque } from '../schemas/common.js'

export const score: Schema = { type: 'number', minimum: 0, maximum: 1 }
export const position: Schema = { type: 'integer', description: 'in Unicode code points' }
export const finding = answer({ start: position, end: position, type: opaque('the name of what was found'), score })
