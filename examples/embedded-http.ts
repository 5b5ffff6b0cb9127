/**
 * The kernel inside a plain Node server: no adapter, no routes but one's own. What comes out of `kernel.get` is
 * guarded already.
 *
 *     node examples/dist/embedded-http.js     (npm run build and npm test build it)
 */
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { pathToFileURL } from 'node:url'
import { chat } from '@sallyport/core'
import type { Kernel } from '@sallyport/core'
import { createKernel } from '@sallyport/kernel'
import shout from './shout.js'

/** Answers `GET /say?text=…` with the model's words as they come. */
export const embed = (kernel: Kernel): Server =>
  createServer((request, response) => {
    void say(kernel, request, response).catch((error: unknown) => response.destroy(error as Error))
  })

const say = async (kernel: Kernel, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const text = new URL(request.url ?? '/', 'http://localhost').searchParams.get('text') ?? ''
  const gone = new AbortController()
  response.on('close', () => gone.abort(new Error('the client has gone')))
  const chunks = kernel.get(chat).stream({ messages: [{ role: 'user', content: text }] }, { signal: gone.signal })
  for await (const chunk of chunks) if ('delta' in chunk) response.write(chunk.delta)
  response.end('\n')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const kernel = await createKernel({ plugins: [shout] })
  embed(kernel).listen(8090, '127.0.0.1', () => console.log('curl "http://127.0.0.1:8090/say?text=hello+there"'))
}
