/** A capability that the adapter does not know: its routes are walked like the others. */

import { capability, list } from '@sallyport/core'
import type { Call } from '@sallyport/core'

export interface TaleCapability {
  tell(request: { about: string; words?: string[] }, call: Call): Promise<{ tale: string; notes: { text: string }[] }>
  sing(request: { about: string }, call: Call): AsyncIterable<{ delta: string }>
}

export const tale = capability<TaleCapability>()('tale', {
  guarded: true,
  http: { summary: 'Tell a tale' },
  methods: {
    tell: {
      kind: 'call',
      request: { about: 'text', 'words?': list('text') },
      result: { tale: 'text', notes: list({ text: 'text' }) },
    },
    sing: { kind: 'stream', request: { about: 'text' }, result: { delta: 'delta' } },
  },
})
