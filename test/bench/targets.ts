/** What the server is meant to reach. */

import type { Figure } from './figures.js'

export interface Target extends Pick<Figure, 'section' | 'measure' | 'subject'> {
  readonly description: string
  readonly atLeast?: number
  readonly atMost?: number
  /** Bytes of the weights that it is meant for. */
  readonly weights?: { readonly atLeast?: number; readonly below?: number }
}

/** Between a model of 135 million parameters and one of half a billion, as they are quantised. */
const small = { below: 250e6 }
const larger = { atLeast: 250e6 }

const longKinds = ['prose', 'cards', 'addresses', 'markup']

export const targets: readonly Target[] = [
  ...(
    [
      'chats',
      'long-answers',
      'long-prompts',
      'embeddings',
      'short-texts',
      'rerank',
      'injection',
      'names',
      'documents',
      'transcription',
      'translation',
    ] as const
  ).flatMap((name): Target[] => [
    {
      section: 'fairness',
      measure: `${name}-p99`,
      subject: 'ratio',
      atMost: 3,
      description: `${name}: p99 beside a greedy tenant, less a step, against alone`,
    },
    {
      section: 'fairness',
      measure: `${name}-p99`,
      subject: 'crowded',
      atMost: 2000,
      description: `${name}: p99 beside a greedy tenant, ms`,
    },
  ]),
  ...[1, 4].map((clients): Target => ({
    section: 'structured',
    measure: `decode-${clients}`,
    subject: 'ratio',
    atLeast: 0.9,
    description: `clients ${clients}: decoding speed under a schema against free text`,
  })),
  ...[1, 8].map((clients): Target => ({
    section: 'generation',
    measure: `decode-${clients}`,
    subject: 'ratio',
    weights: small,
    atLeast: 0.85,
    description: `small model, clients ${clients}: decoding speed against llama-server`,
  })),
  {
    section: 'generation',
    measure: 'decode-1',
    subject: 'ratio',
    weights: larger,
    atLeast: 0.97,
    description: 'half a billion parameters and up, clients 1: decoding speed against llama-server',
  },
  {
    section: 'generation',
    measure: 'decode-8',
    subject: 'ratio',
    weights: larger,
    atLeast: 0.92,
    description: 'half a billion parameters and up, clients 8: decoding speed against llama-server',
  },
  {
    section: 'generation',
    measure: 'first-token',
    subject: 'difference',
    atMost: 15,
    description: 'time to first token over that of llama-server, ms',
  },
  ...(['abort-decode', 'abort-prefill'] as const).map((measure): Target => ({
    section: 'abort',
    measure,
    subject: 'sallyport',
    atMost: 100,
    description: `${measure === 'abort-decode' ? 'decoding' : 'prompt'} aborted to idle, ms`,
  })),
  {
    section: 'adapter',
    measure: 'latency-p95',
    subject: 'difference',
    atMost: 2,
    description: 'p95 that HTTP adds to a call of the kernel at 50 requests/s, ms',
  },
  ...[32, 64].map((connections): Target => ({
    section: 'adapter',
    measure: `throughput-${connections}`,
    subject: 'http',
    atLeast: 2000,
    description: `small requests/s, ${connections} connections`,
  })),
  {
    section: 'memory',
    measure: 'start',
    subject: 'sallyport',
    weights: small,
    atMost: 3000,
    description: 'small model: start to ready, ms',
  },
  {
    section: 'embedding',
    measure: 'batch-32x128',
    subject: 'ratio',
    atLeast: 0.97,
    description: '32 texts of 128 tokens: texts/s over HTTP against the raw session',
  },
  {
    section: 'embedding',
    measure: 'short-32',
    subject: 'ratio',
    atLeast: 2,
    description: '32 clients with a short text each: texts/s against one client',
  },
  {
    section: 'embedding',
    measure: 'short-latency',
    subject: 'difference',
    atMost: 2,
    description: 'a short text over HTTP, on an idle server: ms above the raw session',
  },
  {
    section: 'embedding',
    measure: 'growth',
    subject: 'sallyport',
    atMost: 5,
    description: 'memory of server and model from a tenth of the texts served to all, %',
  },
  {
    section: 'embedding',
    measure: 'lag-max',
    subject: 'sallyport',
    atMost: 10,
    description: "the server's event loop during a request of 10,000 texts: longest lag, ms",
  },
  ...(['pii-patterns', 'pii-model', 'toxicity', 'injection', 'all'] as const).flatMap((guard): Target[] => [
    {
      section: 'guard',
      measure: `stream-256-${guard}`,
      subject: 'ratio',
      weights: small,
      atMost: 1.05,
      description: `answer of 256 tokens, ${guard}: time against the unguarded one`,
    },
    {
      section: 'guard',
      measure: `sentences-behind-${guard}`,
      subject: 'guarded',
      weights: small,
      atMost: 1,
      description: `${guard}: sentences that the unguarded answer has said when the guarded one begins`,
    },
  ]),
  ...(
    [
      ['pii-patterns', 2],
      ['pii-model', 100],
      ['injection-rules', 2],
      ['injection-model', 10],
      ['toxicity', 10],
      ['factuality', 10],
    ] as const
  ).map(([detector, atMost]): Target => ({
    section: 'guard',
    measure: `cpu-${detector}`,
    subject: 'sallyport',
    atMost,
    description: `${detector}: processor time of 1,000 characters, ms`,
  })),
  ...(['leaked', 'reordered'] as const).map((measure): Target => ({
    section: 'guarded-streams',
    measure,
    subject: 'sallyport',
    atMost: 0,
    description: `1,000 guarded streams: ${measure}`,
  })),
  {
    section: 'guarded-streams',
    measure: 'rss-peak',
    subject: 'sallyport',
    atMost: 512,
    description: '1,000 guarded streams: most memory of the server, MB',
  },
  ...longKinds.flatMap((kind): Target[] =>
    [
      { measure: `lag-max-${kind}`, atMost: 250, description: 'longest turn of the event loop' },
      { measure: `lag-p99-${kind}`, atMost: 50, description: 'event loop, 99th percentile' },
      { measure: `healthz-max-${kind}`, atMost: 250, description: 'slowest /healthz' },
      { measure: `small-p99-${kind}`, atMost: 1000, description: 'small requests of another key, 99th percentile' },
    ].map((target) => ({
      ...target,
      section: 'long-prompts',
      subject: 'sallyport',
      description: `24 prompts of 3.9 MB of ${kind}: ${target.description}, ms`,
    })),
  ),
]
