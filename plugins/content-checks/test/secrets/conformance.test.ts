import { runConformance } from '@sallyport/testing'
import { secrets } from '../../src/secrets/check.js'
import { SecretsDetector } from '../../src/secrets/detector.js'
import { hexadecimal, key, random, whole } from './support.js'

const parts = [
  ...[
    'gh',
    'p_',
    'ghp_',
    random(20),
    random(36),
    'AKIA',
    'QX7PLM2K9TRW4VB8',
    'eyJ',
    random(30),
    '.',
    '.eyJ',
    'xoxb-',
    '123-',
    'SG.',
  ],
  ...['sk', '-', 'sk-ant-api', 'sk_live_', '_authToken=', 'AIza', 'M', 'AA', '1234567890:', hexadecimal(32)],
  ...[
    'password',
    ' = ',
    '"',
    ': ',
    'api_key',
    'token=',
    ' is ',
    'Bearer ',
    '://user:',
    'pass1word2x@',
    '@host',
    'login a password ',
    '--password ',
  ],
  ...[
    '-----BEGIN ',
    key,
    '-----',
    '-----END ',
    '\n',
    ' ',
    '---',
    'apiVersion: v1\n',
    'kind: Secret\n',
    'data:\n',
    '  k: c2VjcmV0c2VjcmV0\n',
  ],
  ...['\u00ad', '\u200b', 'а', 'о', 'рр', '́', '😀', 'ＡＫ'],
]

runConformance(secrets, {
  create: () => Promise.resolve(new SecretsDetector()),
  facts: {
    parts,
    samples: {
      flagged: { text: whole(`Deploy it with gh¦p_${random(36)} as the token.`) },
      harmless: { text: 'Please summarise the attached report in three sentences.' },
    },
  },
})
