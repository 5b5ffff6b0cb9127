import type { Family } from '../family.js'
import { contempt } from './contempt.js'
import { groupHate } from './group-hate.js'
import { insult } from './insult.js'
import { selfHarm } from './self-harm.js'
import { threat } from './threat.js'

/** What toxic texts say outright, by category of content. */
export const toxicFamilies: readonly Family[] = [threat, selfHarm, insult, contempt, groupHate]
