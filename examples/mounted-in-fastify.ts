/**
 * Sallyport's HTTP interface inside another framework's server: Fastify here, and in the same way Express or any
 * server that hands out Node's request and response.
 */
import { pathToFileURL } from 'node:url'
import { fastify } from 'fastify'
import type { FastifyInstance } from 'fastify'
import { createKernel } from '@sallyport/kernel'
import type { Kernel } from '@sallyport/core'
import { handler } from '@sallyport/koa'
import shout from './shout.js'

/** A Fastify server of one's own, with the interface under `/ai`. */
export const mount = async (kernel: Kernel): Promise<FastifyInstance> => {
  const server = fastify()
  const sallyport = handler(kernel, { auth: false })
  server.get('/hello', () => ({ hello: 'from the program around it' }))
  await server.register((scope, _options, done) => {
    // Sallyport reads the body itself: it checks size, depth and keys on the way.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null))
    scope.all('/ai/*', (request, reply) => {
      reply.hijack()
      request.raw.url = (request.raw.url ?? '/').replace(/^\/ai/, '')
      sallyport(request.raw, reply.raw)
    })
    done()
  })
  return server
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const server = await mount(await createKernel({ plugins: [shout] }))
  console.log(`${await server.listen({ port: 8091, host: '127.0.0.1' })}/ai/v1/models`)
}
