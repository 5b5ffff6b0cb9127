/** One backend, once in the server's process and once in a child: what differs is the boundary. */

import { chat, definePlugin, inject, injectable, modelSpec, provide } from '@sallyport/core'
import type { LoadedModel, ModelBackend, ModelSpec } from '@sallyport/core'
import { EchoChat } from '@sallyport/testing/reference'

@injectable()
class EchoBackend implements ModelBackend {
  constructor(@inject(modelSpec) private readonly spec: ModelSpec) {}

  load(): Promise<LoadedModel> {
    return Promise.resolve({ provides: [provide(chat, new EchoChat({ delay: 0, ...(this.spec.options as object) }))] })
  }
}

const backend = {
  description: 'repeats what is said',
  capabilities: [chat],
  class: EchoBackend,
  files: 'none',
} as const

export default definePlugin({
  name: 'boundary',
  backends: { 'in-process': backend, child: { ...backend, isolation: {} } },
})
