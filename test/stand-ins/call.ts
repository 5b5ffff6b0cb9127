import type { Call } from '@sallyport/core'

/** What a backend is told of a call, for tests. */
export const call = (signal: Call['signal'] = new AbortController().signal): Call => ({
  signal,
  deadline: Date.now() + 1000,
  requestId: 'test',
  tenant: 'test',
})
