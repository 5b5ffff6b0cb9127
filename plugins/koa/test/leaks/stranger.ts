/** A capability that the adapter does not know: its routes are walked like the others. */

import { capability, list } from '@sallyport/core'
import type { Call } from '@sallyport/core'

export interface TaleCapability {
  tell(
    request: { about: string; words?: string[]; names?: Record<string, string> },
    call: Call,
  ): Promise<{ tale: string; notes: { text: string }[]; names: Record<string, string> }>
  sing(request: { about: string }, call: Call): AsyncIterable<{ delta: string; names?: Record<string, string> }>
}

export const tale = capability<TaleCapability>()('tale', {
  guarded: true,
  http: { summary: 'Tell a tale' },
  methods: {
    tell: {
      kind: 'call',
      request: { about: 'text', 'words?': list('text'), 'names?': { '*': 'text' } },
      result: { tale: 'text', notes: list({ text: 'text' }), names: { '*': 'text' } },
    },
    sing: { kind: 'stream', request: { about: 'text' }, result: { delta: 'delta', 'names?': { '*': 'text' } } },
  },
})
