/** One chat model several times, each behind another policy. */

/** What is measured, and the checks that it stands for. */
export const guards = {
  unguarded: {},
  'pii-patterns': { input: { pii: replace() }, output: { pii: replace() } },
  'pii-model': { input: { pii: replace() }, output: { pii: replace() } },
  toxicity: { output: { toxicity: judge() } },
  injection: { input: { injection: judge() } },
  all: { input: { injection: judge(), pii: replace() }, output: { pii: replace(), toxicity: judge() } },
}

export type GuardName = keyof typeof guards

/** Nothing is blocked, so that all answers are equally long. */
function judge() {
  return { threshold: 1 }
}

function replace() {
  return { action: 'replace', method: 'category' }
}

/** @param names whether names are found by a model, too */
export const chatConfig = (port: number, source: string, used: readonly GuardName[], names: boolean): object => ({
  plugins: ['@sallyport/koa', '@sallyport/llama-cpp', '@sallyport/onnx', '@sallyport/pii', '@sallyport/guards'],
  models: {
    ...Object.fromEntries(
      used.map((guard) => [
        guard,
        { backend: 'llama-cpp', source, policy: guard, options: { threads: 1, parallel: 1, contextLength: 1024 } },
      ]),
    ),
    guard: { backend: 'onnx', options: { threads: 1 } },
    ...(names && { rampart: { backend: 'onnx', options: { threads: 1 } } }),
    pii: { backend: 'pii', options: { key: 'the key of a benchmark', ...(names && { model: 'rampart' }) } },
    'injection-detector': { backend: 'injection', options: { model: 'guard' } },
    'toxicity-detector': { backend: 'toxicity' },
  },
  policies: guards,
  server: { host: '127.0.0.1', port, auth: false },
  log: { level: 'warn', format: 'json' },
})
