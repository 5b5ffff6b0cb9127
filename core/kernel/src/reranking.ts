/** What the kernel adds to rerank backends: the documents beside their scores. */

import type { Call, RerankCapability, RerankRequest, RerankResult } from '@sallyport/core'

/** The documents are those that the backend got: as the safeguards left them. */
export const withDocuments =
  (rerank: RerankCapability['rerank']) =>
  async ({ returnDocuments, ...request }: RerankRequest, call: Call): Promise<RerankResult> => {
    const result = await rerank(request, call)
    const ranking = result.ranking.map(({ index, score }) => {
      const document = returnDocuments ? request.documents[index] : undefined
      return { index, score, ...(document === undefined ? {} : { document }) }
    })
    return { ...result, ranking }
  }
