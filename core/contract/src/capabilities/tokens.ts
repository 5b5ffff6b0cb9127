import type { Call } from './call.js'
import { capability } from './capability.js'
import { list } from './shape.js'

export interface Token {
  id: number
  /** The part of the input that the token represents; for a special token its own name. */
  text: string
  /** Half-open span in Unicode code points of the input; special tokens have `start === end`. */
  start: number
  end: number
}

/** Converts text to tokens and back with a model's own vocabulary. */
export interface TokensCapability {
  tokenize(request: { text: string }, call: Call): Promise<{ tokens: Token[] }>
  /** An id outside the vocabulary becomes U+FFFD. */
  detokenize(request: { tokens: number[] }, call: Call): Promise<{ text: string }>
}

export const tokens = capability<TokensCapability>()('tokens', {
  guarded: true,
  methods: {
    tokenize: {
      kind: 'call',
      request: { text: 'text' },
      result: { tokens: list({ id: 'number', text: 'copy', start: 'number', end: 'number' }) },
    },
    detokenize: { kind: 'call', request: { tokens: list('number') }, result: { text: 'text' } },
  },
})
