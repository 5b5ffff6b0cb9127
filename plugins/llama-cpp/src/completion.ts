import { failure } from '@sallyport/core'
import type { Call, CompletionCapability, CompletionChunk, CompletionRequest } from '@sallyport/core'
import { Pacer } from '@sallyport/kit/async'
import type { Engine } from './engine/engine.js'
import { SliceTokenizer } from './engine/slice-tokenizer.js'
import { joinTokens } from './engine/vocabulary.js'
import { generate } from './generate.js'

/** Continues a text, or fills the gap between a prompt and a suffix. */
export class LlamaCppCompletion implements CompletionCapability {
  constructor(private readonly engine: Engine) {}

  async *stream(request: CompletionRequest, call: Call): AsyncGenerator<CompletionChunk> {
    yield* generate(this.engine, await this.promptOf(request, call), request, call)
  }

  private async promptOf({ prompt, suffix }: CompletionRequest, call: Call): Promise<Uint32Array> {
    const { vocabulary, shape } = this.engine
    const tokenizer = new SliceTokenizer({ vocabulary, limit: shape.contextLength, pacer: new Pacer(call) })
    if (suffix === undefined) return vocabulary.withStart(await tokenizer.tokenize(prompt))
    const { infill } = vocabulary
    if (!infill) throw failure('unsupported', { field: 'suffix', problem: 'this model cannot fill in text' })
    const before = await tokenizer.tokenize(prompt)
    const after = await tokenizer.tokenize(suffix, before.length)
    return vocabulary.withStart(joinTokens([infill.prefix], before, [infill.suffix], after, [infill.middle]))
  }
}
