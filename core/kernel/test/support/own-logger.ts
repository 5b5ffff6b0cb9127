/** A program with a kernel that nobody gave a logger but a level: says on standard output when it is done. */

import { chat, definePlugin } from '@sallyport/core'
import { createKernel } from '../../src/create-kernel.js'
import { standardErrorLogger } from '../../src/log/standard-error.js'

const level = process.argv[2] === 'silent' || process.argv[2] === 'error' ? process.argv[2] : 'info'

class Unloadable {
  load = () => Promise.reject(new Error('of the library'))
}
const odd = { description: 'odd', capabilities: [chat], class: Unloadable, files: 'none' as const }
const plugin = definePlugin({ name: 'odd', backends: { odd } })
await createKernel({ plugins: [plugin], models: { m: { backend: 'odd' } }, log: { level } }).catch(() => undefined)

class Broken {
  async *stream() {
    yield await Promise.resolve({ delta: 5 } as never)
  }
}
const models = { broken: { capability: chat, class: Broken } }
const kernel = await createKernel({ plugins: [definePlugin({ name: 'broken', models })], log: { level } })
const request = { messages: [{ role: 'user' as const, content: 'hello' }] }
await kernel
  .get(chat)
  .generate(request)
  .catch(() => undefined)
await kernel.stop()

const circle: { self?: object } = {}
circle.self = circle
const logger = standardErrorLogger(level).child({ plugin: 'p' })
logger.debug({}, 'debug')
logger.info({}, 'info')
logger.warn({ circle }, 'around')
const text = 'x'.repeat(1000)
for (let line = 0; line < 2000; line += 1) logger.error({ err: new Error('why'), text }, 'broken')
process.stdout.write('done\n')
