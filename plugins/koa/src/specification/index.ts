/** The routes by which the specification, and OpenAI, ask checks by themselves. */

import type { Route } from '../routes/route.js'
import { injectionRoute } from './injection.js'
import { moderationRoute } from './moderation.js'
import { piiRoute } from './pii.js'
import { factualityRoute, toxicityRoute } from './scores.js'

export const specificationChecks: readonly Route[] = [
  factualityRoute,
  toxicityRoute,
  injectionRoute,
  piiRoute,
  moderationRoute,
]
