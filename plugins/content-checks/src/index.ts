import { definePlugin } from '@sallyport/core'
import { secrets } from './secrets/check.js'
import { SecretsDetector } from './secrets/detector.js'

export { secrets } from './secrets/check.js'

/** Checks beside those of the specification. */
export default definePlugin({
  name: '@sallyport/content-checks',
  models: {
    secrets: { capability: secrets, class: SecretsDetector },
  },
})
