import { definePlugin } from '@sallyport/core'
import { links } from './links/check.js'
import { LinksDetector } from './links/detector.js'
import { secrets } from './secrets/check.js'
import { SecretsDetector } from './secrets/detector.js'

export { links } from './links/check.js'
export { secrets } from './secrets/check.js'

/** Checks beside those of the specification. */
export default definePlugin({
  name: '@sallyport/content-checks',
  models: {
    links: { capability: links, class: LinksDetector },
    secrets: { capability: secrets, class: SecretsDetector },
  },
})
