/** A backend that says what it is told, in a process of its own, and that claims to need a megabyte. */

import { chat, definePlugin, injectable, provide } from '@sallyport/core'
import type { LoadedModel } from '@sallyport/core'
import { EchoChat } from '@sallyport/testing/reference'

@injectable()
class IsolatedEcho {
  load(): Promise<LoadedModel> {
    return Promise.resolve({ provides: [provide(chat, new EchoChat({ delay: 0 }))] })
  }
}

export default definePlugin({
  name: 'isolated',
  backends: {
    isolated: {
      description: 'Says what it is told.',
      capabilities: [chat],
      class: IsolatedEcho,
      files: 'none',
      isolation: {},
      estimate: () => Promise.resolve({ weights: 2 ** 20, cache: 0, compute: 0 }),
    },
  },
})
