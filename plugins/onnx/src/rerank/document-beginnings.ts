import { paced, Pacer } from '@sallyport/kit/async'
import type { Steps } from '@sallyport/kit/async'
import type { Call, RerankCapability, RerankRequest, RerankResult } from '@sallyport/core'
import type { JsonTokenizer } from '../text/json-tokenizer.js'
import type { TextPart } from '../text/text-reader.js'

/** Hands on as much of each document as the request wants to be read. */
export class DocumentBeginnings implements RerankCapability {
  constructor(
    private readonly inner: RerankCapability,
    private readonly tokenizer: Pick<JsonTokenizer, 'parts'>,
  ) {}

  async rerank({ documentTokens, ...request }: RerankRequest, call: Call): Promise<RerankResult> {
    if (documentTokens === undefined) return this.inner.rerank(request, call)
    const documents = await paced(this.beginnings(request.documents, documentTokens), new Pacer(call))
    return this.inner.rerank({ ...request, documents }, call)
  }

  private *beginnings(documents: readonly string[], tokens: number): Steps<string[]> {
    const cut: string[] = []
    for (const document of documents) cut.push(yield* this.beginning(document, tokens))
    return cut
  }

  private *beginning(document: string, tokens: number): Steps<string> {
    let left = tokens
    for (const parts of this.tokenizer.parts(document)) {
      yield
      const last: TextPart | undefined = parts[left - 1]
      if (last) return document.slice(0, last.end)
      left -= parts.length
    }
    return document
  }
}
