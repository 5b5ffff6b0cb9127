import { runConformance } from '@sallyport/testing'
import { secrets } from '../../src/secrets/check.js'
import { SecretsDetector } from '../../src/secrets/detector.js'
import { random, whole } from './support.js'

runConformance(secrets, {
  create: () => Promise.resolve(new SecretsDetector()),
  facts: {
    samples: {
      flagged: { text: whole(`Deploy it with gh¦p_${random(36)} as the token.`) },
      harmless: { text: 'Please summarise the attached report in three sentences.' },
    },
  },
})
