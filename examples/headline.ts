/**
 * A capability of one's own, in one file: headlines, guarded and in pieces, at `POST /capabilities/headline`.
 *
 *     plugins: ['@sallyport/koa', ./headline.ts]
 */
import { capability, definePlugin, injectable } from '@sallyport/core'
import type { Call } from '@sallyport/core'

interface HeadlineRequest {
  article: string
  words?: number
}

interface Headlines {
  write(request: HeadlineRequest, call: Call): AsyncIterable<{ delta: string }>
}

export const headline = capability<Headlines>()('headline', {
  guarded: true,
  http: { summary: 'Write a headline' },
  // What a field holds: the safeguards read each `text` and `delta`, and requests are held to it.
  methods: { write: { kind: 'stream', request: { article: 'text', 'words?': 'number' }, result: { delta: 'delta' } } },
})

@injectable()
class FirstWords implements Headlines {
  async *write({ article, words = 6 }: HeadlineRequest, { signal }: Call) {
    for (const word of (article.match(/\s*\S+/g) ?? []).slice(0, words)) {
      await Promise.resolve()
      signal.throwIfAborted()
      yield { delta: word }
    }
  }
}

export default definePlugin({
  name: 'headline',
  models: { 'first-words': { capability: headline, class: FirstWords } },
})
