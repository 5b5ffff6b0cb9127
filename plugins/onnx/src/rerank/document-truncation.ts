import type { Call, RerankCapability, RerankRequest, RerankResult } from '@sallyport/core'
import { mapBounded } from '@sallyport/kit/async'
import type { TextTokenizer } from '../text/tokenizer.js'
import { documentsAtOnce } from './passages.js'

/** Cuts documents to the `documentTokens` of the request before they are ranked. */
export class DocumentTruncation implements RerankCapability {
  constructor(
    private readonly inner: RerankCapability,
    private readonly tokenizer: Pick<TextTokenizer, 'tokens'>,
  ) {}

  async rerank({ documentTokens, ...request }: RerankRequest, call: Call): Promise<RerankResult> {
    if (documentTokens === undefined) return this.inner.rerank(request, call)
    const documents = await mapBounded(request.documents, documentsAtOnce, async (document) => {
      let left = documentTokens
      for await (const window of this.tokenizer.tokens(document, call)) {
        const last = window[left - 1]
        if (last) return document.slice(0, last.end)
        left -= window.length
      }
      return document
    })
    return this.inner.rerank({ ...request, documents }, call)
  }
}
