import type { ConfigInput } from '@sallyport/core'

/** Replaces personal information, found by patterns, and blocks insults. @param streams that run at the same time */
export const streamsConfig = (port: number, streams: number): ConfigInput => ({
  plugins: ['@sallyport/koa', '@sallyport/pii', new URL('scripted-chat.js', import.meta.url)],
  models: { pii: { backend: 'pii', options: { key: 'the key of a benchmark' } } },
  policies: {
    default: {
      output: { pii: { action: 'replace', method: 'category', budget }, toxicity: { threshold: 0.5, budget } },
    },
  },
  server: { host: '127.0.0.1', port, auth: false, limits: { concurrency: streams, queue: streams } },
  log: { level: 'silent' },
})

/** Milliseconds: how long a check waits for its turn is measured, too, and must not end a stream. */
const budget = 120_000
