import type { EmbeddingResult } from '@sallyport/core'
import type { Envelope } from './identifiers.js'

export interface EmbeddingPresentation {
  readonly encoding: 'float' | 'base64'
  /** Whether each item says that it succeeded. */
  readonly status: boolean
}

/** In pieces: ten thousand vectors as one JSON text would hold the event loop for a second. */
export function* embeddingList(
  { vectors, promptTokens }: EmbeddingResult,
  envelope: Envelope,
  { encoding, status }: EmbeddingPresentation,
): Generator<string> {
  const head = JSON.stringify({ ...envelope, data: [] })
  const usage = { prompt_tokens: promptTokens, total_tokens: promptTokens }
  yield head.slice(0, -2)
  for (const [index, vector] of vectors.entries()) {
    const embedding = encoding === 'base64' ? base64(vector) : Array.from(vector)
    const item = { object: 'embedding', index, embedding, ...(status ? { status: 'success' } : {}) }
    yield (index ? ',' : '') + JSON.stringify(item)
  }
  yield `],"usage":${JSON.stringify(usage)}}`
}

/** Little-endian 32-bit floats, as the platform has them in memory. */
const base64 = (vector: Float32Array) =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')
