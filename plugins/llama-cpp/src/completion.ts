import { failure } from '@sallyport/core'
import type { Call, CompletionCapability, CompletionChunk, CompletionRequest } from '@sallyport/core'
import type { Engine } from './engine/engine.js'
import { joinTokens } from './engine/vocabulary.js'
import { generate } from './generate.js'

/** Texts, continued as they stand or filled in between a prompt and a suffix. */
export class LlamaCppCompletion implements CompletionCapability {
  constructor(private readonly engine: Engine) {}

  async *stream(request: CompletionRequest, call: Call): AsyncGenerator<CompletionChunk> {
    yield* generate(this.engine, this.promptOf(request), request, call)
  }

  private promptOf({ prompt, suffix }: CompletionRequest): Uint32Array {
    const { vocabulary } = this.engine
    if (suffix === undefined) return vocabulary.withStart(vocabulary.tokenize(prompt))
    const { infill } = vocabulary
    if (!infill) throw failure('unsupported', { field: 'suffix', problem: 'this model cannot fill in text' })
    const [before, after] = [vocabulary.tokenize(prompt), vocabulary.tokenize(suffix)]
    return vocabulary.withStart(joinTokens([infill.prefix], before, [infill.suffix], after, [infill.middle]))
  }
}
