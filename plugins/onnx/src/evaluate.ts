import type { Asking } from '@sallyport/kit/async'
import type { Items } from './batching/items.js'
import type { Encoding } from './text/text-tokenizer.js'

/**
 * What a model says about encoded texts, in their order: the output without padding, in row-major order. One row of
 * logits per text, or one per token where the model labels tokens; the vector of a text where it embeds.
 * @throws overloaded; the signal's reason when aborted; what making an encoding throws
 */
export type Evaluate = (encodings: Items<Encoding>, asking: Asking) => Promise<Float32Array[]>
