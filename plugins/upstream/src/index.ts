import { chat, completion, definePlugin, embedding, rerank, tokens } from '@sallyport/core'
import { OpenAIBackend } from './backend.js'
import { optionsSchema } from './options.js'

export type { UpstreamOptions } from './options.js'

/** Models of other servers. */
export default definePlugin({
  name: '@sallyport/upstream',
  backends: {
    openai: {
      description: 'A model of any OpenAI-compatible server, which is started and supervised where `server` is set.',
      options: optionsSchema,
      capabilities: [chat, completion, embedding, rerank, tokens],
      class: OpenAIBackend,
      files: 'none',
    },
  },
})
