/** The Unix socket by which the operator's commands reach a running server. Whoever may open it may do all of it. */

import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { failure, home, inject, injectable, isSallyportError, kernel, logger } from '@sallyport/core'
import type { Kernel, Logger, Service } from '@sallyport/core'

/** The directory of the sockets of running servers, named by their process. */
export const adminDirectory = (stateDirectory: string): string => join(stateDirectory, 'admin')

/** What is done for a request, with the parts of its path that the route leaves open. */
type Handle = (kernel: Kernel, id: string, signal: AbortSignal) => unknown

const routes: readonly (readonly [method: string, path: RegExp, handle: Handle])[] = [
  ['GET', /^\/models$/, (kernel) => kernel.modelUses()],
  [
    'POST',
    /^\/models\/([^/]+)\/load$/,
    async (kernel, id, signal) => {
      await kernel.loadModel(id, signal)
      return {}
    },
  ],
  [
    'POST',
    /^\/models\/([^/]+)\/unload$/,
    async (kernel, id) => {
      if (await kernel.unloadModel(id)) return {}
      throw failure('model_unavailable', { model: id, problem: 'it is in use or loading: try again when it is idle' })
    },
  ],
]

@injectable()
export class AdminListener implements Service {
  private server: Server | undefined
  private readonly path: string

  constructor(
    @inject(kernel) private readonly kernel: Kernel,
    @inject(logger) private readonly logger: Logger,
    @inject(home) stateDirectory: string,
  ) {
    this.path = join(adminDirectory(stateDirectory), `${process.pid}.sock`)
  }

  /** A server whose socket cannot be opened serves nevertheless. */
  async start(): Promise<void> {
    const server = createServer((request, response) => void this.answer(request, response))
    try {
      mkdirSync(join(this.path, '..'), { recursive: true, mode: 0o700 })
      rmSync(this.path, { force: true })
      await new Promise<void>((resolve, reject) => server.once('error', reject).listen(this.path, resolve))
      chmodSync(this.path, 0o600)
      this.server = server
    } catch (error) {
      this.logger.warn({ path: this.path, err: error }, 'commands such as ps cannot reach this server')
    }
  }

  async stop(): Promise<void> {
    const { server } = this
    this.server = undefined
    if (!server) return
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const aborted = new AbortController()
    response.once('close', () => aborted.abort(failure('client_closed', {})))
    const { status, body } = await this.run(request, aborted.signal)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  private async run({ method, url = '' }: IncomingMessage, signal: AbortSignal): Promise<Answered> {
    try {
      for (const [routeMethod, path, handle] of routes) {
        const match = method === routeMethod ? path.exec(url) : null
        if (match) return { status: 200, body: await handle(this.kernel, decodeURIComponent(match[1] ?? ''), signal) }
      }
      return { status: 404, body: { error: `there is no ${method ?? ''} ${url} here` } }
    } catch (error) {
      if (isSallyportError(error)) return { status: 409, body: { error: error.message } }
      this.logger.error({ err: error }, 'a command failed')
      return { status: 500, body: { error: 'something went wrong: the log of the server has the details' } }
    }
  }
}

interface Answered {
  readonly status: number
  readonly body: unknown
}
