import { chat, definePlugin } from '@sallyport/core'
import type { ModelSpec } from '@sallyport/core'
import { modelsOf, VisionBridgeBackend } from './backend.js'
import { optionsSchema } from './options.js'
import type { VisionBridgeOptions } from './options.js'

export type { VisionBridgeOptions } from './options.js'

/** Images for chat models that read text only. */
export default definePlugin({
  name: '@sallyport/vision-bridge',
  backends: {
    'vision-bridge': {
      description: 'A chat model that reads text only, with notes on what the images of a conversation show.',
      options: optionsSchema,
      capabilities: [chat],
      class: VisionBridgeBackend,
      files: 'none',
      check: (model, kernel) => void modelsOf(model as ModelSpec<VisionBridgeOptions>, kernel),
    },
  },
})
