import { chat, completion, definePlugin, embedding, tokens } from '@sallyport/core'
import { estimate, LlamaCppBackend } from './backend.js'
import { optionsSchema } from './options.js'
import type { LlamaCppOptions } from './options.js'

export type { LlamaCppOptions } from './options.js'

/** Models from GGUF files. The native library is loaded in the model's own process only. */
export default definePlugin({
  name: '@sallyport/llama-cpp',
  backends: {
    'llama-cpp': {
      description: 'A GGUF file, run by llama.cpp on this machine.',
      options: optionsSchema,
      capabilities: [chat, completion, embedding, tokens],
      always: (options: LlamaCppOptions) => (options.embeddings ? [tokens, embedding] : [tokens]),
      class: LlamaCppBackend,
      formats: ['.gguf'],
      // one pool thread: native calls run in order and always on the same core, which nearly doubles the speed
      isolation: { env: { UV_THREADPOOL_SIZE: '1' } },
      estimate,
    },
  },
})
