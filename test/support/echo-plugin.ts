/** A plugin with models that say what they are told, word by word; no detectors. */

import { chat, completion, definePlugin, embedding } from '@sallyport/core'
import { EchoChat, MarkovCompletion, referencePlugin, TrigramEmbedding } from '@sallyport/testing/reference'

export default definePlugin({
  name: 'echo',
  ...(referencePlugin.options ? { options: referencePlugin.options } : {}),
  models: {
    echo: { capability: chat, class: EchoChat },
    babble: { capability: completion, class: MarkovCompletion },
    trigrams: { capability: embedding, class: TrigramEmbedding },
  },
})
