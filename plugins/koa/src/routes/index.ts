import type { Kernel } from '@sallyport/core'
import { audioRoutes } from './audio/index.js'
import { capabilityRoutes } from './capabilities.js'
import { chatRoutes } from './chat/index.js'
import { checkRoutes } from './checks/index.js'
import { completionRoutes } from './completion/index.js'
import { documentRoute } from './documents.js'
import { embeddingRoutes } from './embeddings.js'
import { healthRoutes } from './health.js'
import { modelRoutes } from './models.js'
import { rerankRoutes } from './rerank.js'
import { responseRoutes } from './responses/index.js'
import { storedResponseRoutes } from './responses/history.js'
import type { Route } from './route.js'
import { tokenRoutes } from './tokens.js'
import { toolServerRoutes } from './tool-servers.js'
import { translateRoute } from './translate.js'

/** The routes of the API itself. */
export const routeTable: readonly Route[] = [
  ...chatRoutes,
  ...completionRoutes,
  ...responseRoutes,
  ...storedResponseRoutes,
  ...embeddingRoutes,
  ...rerankRoutes,
  ...tokenRoutes,
  ...checkRoutes,
  translateRoute,
  ...audioRoutes,
  documentRoute,
  ...modelRoutes,
  ...healthRoutes,
  ...toolServerRoutes,
]

/** All routes of a kernel, those of its plugins' capabilities included. Which are served depends on its models. */
export const routesOf = ({ httpCapabilities }: Pick<Kernel, 'httpCapabilities'>): readonly Route[] => [
  ...routeTable,
  ...capabilityRoutes(httpCapabilities),
]

/** The routes whose capability is provided. */
export const servedRoutes = (routes: readonly Route[], capabilities: ReadonlySet<string>): readonly Route[] =>
  routes.filter(({ capability }) => capability === undefined || capabilities.has(capability))
