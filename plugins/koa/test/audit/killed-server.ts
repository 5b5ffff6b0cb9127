/** A server of its own for tests that kill it: loads, says so, and serves when it is told to. */

import 'reflect-metadata'
import { chat, definePlugin, silentLogger } from '@sallyport/core'
import type { ChatChunk } from '@sallyport/core'
import { createKernel } from '@sallyport/kernel'
import { HttpServer } from '../../src/index.js'
import { completeOptions } from '../../src/options.js'

class Speaker {
  async *stream(): AsyncGenerator<ChatChunk> {
    for (let word = 0; word < 5; word += 1) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      yield { delta: `word ${word} ` }
    }
    yield { finish: 'stop' }
  }
}

const [, , home = '', sync = ''] = process.argv
const plugin = definePlugin({ name: 'speaking', models: { speaker: { capability: chat, class: Speaker } } })
const kernel = await createKernel({ plugins: [plugin] })
const options = completeOptions({ port: 0, audit: { rotate: { bytes: 100_000 }, sync: sync === 'sync' } })
const http = new HttpServer(options, kernel, silentLogger, home, () => undefined, home)
process.once('message', () => {
  void http.start().then(() => process.send?.(http.url))
})
process.send?.('loaded')
