import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { isIPv6 } from 'node:net'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { announce, baseDirectory, failure, home, inject, injectable, kernel, logger, options } from '@sallyport/core'
import type { ExamineContext, Kernel, Logger, OutsideReport, Service } from '@sallyport/core'
import { isLogOnTerminal, keyLine, listeningLine, readyLines } from './announcement.js'
import { checkServable, composeApp, nodeHandler, storeSecret, usageIn } from './app.js'
import type { NodeHandler } from './app.js'
import { RequestAudits } from './audit/request-audit.js'
import { ensureKey } from './auth/startup-key.js'
import type { StartupKey } from './auth/startup-key.js'
import { exposedKeysWarning } from './auth/exposed-files.js'
import { KeyStore, keysDirectory } from './auth/key-store.js'
import { boundPolicies } from './bound-policies.js'
import { answerClientErrors } from './http/client-errors.js'
import { RunningAnswers, limitConnections } from './http/connections.js'
import type { Pipeline } from './http/pipeline.js'
import type { ServerOptions } from './options.js'

interface ListeningServer {
  readonly server: Server
  readonly pipeline: Pipeline
  readonly audits: RequestAudits | undefined
  readonly answers: RunningAnswers
  readonly url: string
  readonly key: StartupKey | undefined
  keyShown: boolean
}

/** The HTTP server of a kernel. It listens from the start, and answers 503 until the models are ready. */
@injectable()
export class HttpServer implements Service {
  /** `sallyport check` prints it. */
  static readonly summary = 'serves HTTP'
  static readonly bindings = boundPolicies

  /** `sallyport check` calls it; it changes nothing. */
  static examine({ auth }: ServerOptions, { home }: ExamineContext): Promise<OutsideReport | undefined> {
    const warning = auth ? exposedKeysWarning(home) : undefined
    return Promise.resolve(
      warning === undefined ? undefined : { title: 'keys', entries: [{ text: keysDirectory(home), warning }] },
    )
  }

  private listening: ListeningServer | undefined

  constructor(
    @inject(options) private readonly options: ServerOptions,
    @inject(kernel) private readonly kernel: Kernel,
    @inject(logger) private readonly logger: Logger,
    @inject(home) private readonly home: string,
    @inject(announce) private readonly announce: (lines: string) => void,
    @inject(baseDirectory) private readonly baseDirectory: string,
  ) {
    checkServable(kernel, options)
  }

  /** The base URL; undefined while the server does not listen. */
  get url(): string | undefined {
    return this.listening?.url
  }

  /**
   * The first key is made once the port is open, so that a start that fails makes none.
   * @throws config_invalid when the address is taken, and for an unusable key, secret, directory or audit log
   */
  async start(): Promise<void> {
    const { host, auth } = this.options
    const store = auth ? new KeyStore(this.home) : undefined
    const secret = this.options.responses.store && storeSecret(store ?? new KeyStore(this.home))
    const options = this.resolvedOptions()
    const audits = options.audit && RequestAudits.open(options.audit, store ?? new KeyStore(this.home), this.logger)
    const usage = usageIn(this.home, options)
    const { app, pipeline } = composeApp(this.kernel, options, store, this.logger, secret, audits, usage)
    const server = this.createServer(nodeHandler(app))
    const answers = new RunningAnswers(server)
    let key: StartupKey | undefined
    try {
      await pipeline.prepare()
      await listen(server, this.options)
      key = store && ensureKey(store, process.env['SALLYPORT_API_KEY'])
    } catch (error) {
      await close(server)
      await pipeline.close()
      await audits?.close()
      throw error
    }
    server.on('error', (error) => this.logger.error({ err: error }, 'the server failed to accept a connection'))
    const url = urlOf(server, host)
    this.listening = { server, pipeline, audits, answers, url, key, keyShown: false }
    this.announce(listeningLine(url))
    this.logger[isLogOnTerminal() ? 'debug' : 'info']({ url, auth }, 'listening')
    for (const name of key?.withdrawn ?? [])
      this.logger.warn({ name }, 'this key no longer works, because SALLYPORT_API_KEY no longer holds it')
    const exposed = auth ? exposedKeysWarning(this.home) : undefined
    if (exposed !== undefined) this.logger.warn({}, exposed)
    // Models are still loading.
    void pipeline.warmUp()
  }

  /** Called by the kernel when every model is loaded. */
  ready(): void {
    if (!this.listening) return
    this.announce(readyLines(this.kernel, this.listening.url, this.listening.key))
    this.listening.keyShown = true
  }

  /**
   * Lets running requests finish, while new ones are refused with 503 and their connections closed. New connections
   * are still accepted, so that clients get that answer and not a closed port.
   */
  async drain(signal: AbortSignal): Promise<void> {
    if (!this.listening) return
    const { server, answers } = this.listening
    server.closeIdleConnections()
    await answers.finished(signal)
    await close(server)
  }

  async stop(): Promise<void> {
    if (!this.listening) return
    const { server, pipeline, audits, key, keyShown } = this.listening
    this.listening = undefined
    // A key that was never shown would be lost: the next start finds it, and makes no other.
    if (key?.origin === 'created' && !keyShown) this.announce(keyLine(key))
    await close(server)
    await pipeline.close()
    await audits?.close()
  }

  /** The options, with relative paths resolved against the directory of the configuration. */
  private resolvedOptions(): ServerOptions {
    const { uploadDirectory, responses, audit } = this.options
    const absolute = (path: string) => resolve(this.baseDirectory, path)
    const { store } = responses
    return {
      ...this.options,
      ...(uploadDirectory === undefined ? {} : { uploadDirectory: absolute(uploadDirectory) }),
      ...(audit ? { audit: { ...audit, path: absolute(audit.path) } } : {}),
      ...(store ? { responses: { ...responses, store: { ...store, path: absolute(store.path) } } } : {}),
    }
  }

  private createServer(handle: NodeHandler): Server {
    const { limits, timeouts } = this.options
    const server = createServer(
      {
        headersTimeout: timeouts.headers * 1000,
        requestTimeout: Math.max(timeouts.request, timeouts.headers) * 1000,
        connectionsCheckingInterval: 1000,
        keepAliveTimeout: timeouts.keepAlive * 1000,
        maxHeaderSize: 16 * 1024,
        noDelay: true,
        // A missing Host is answered by the adapter, as JSON.
        requireHostHeader: false,
      },
      handle,
    )
    // Expectations other than 100-continue are ignored instead of refused in plain text.
    server.on('checkExpectation', (request, response) => server.emit('request', request, response))
    answerClientErrors(server)
    limitConnections(server, limits)
    return server
  }
}

const listen = (server: Server, { host, port }: ServerOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    const refused = (error: NodeJS.ErrnoException) =>
      reject(
        failure('config_invalid', { where: 'server', problem: listenProblem(error, host, port) }, { cause: error }),
      )
    server.once('error', refused)
    server.listen(port, host.replace(/^\[|\]$/g, ''), () => {
      server.off('error', refused)
      resolve()
    })
  })

const listenProblem = ({ code }: NodeJS.ErrnoException, host: string, port: number): string => {
  if (code === 'EADDRINUSE') return `port ${port} on ${host} is in use: choose another one with --port`
  if (code === 'EACCES') return `port ${port} may not be opened: choose one above 1023 with --port`
  return `cannot listen on ${host} port ${port} (${code ?? 'unknown'}): choose another address with --host`
}

const close = async (server: Server): Promise<void> => {
  if (!server.listening) return
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections()
  await closed
}

const wildcardAddresses = new Set(['0.0.0.0', '::', '[::]'])

const urlOf = (server: Server, host: string): string => {
  const { port } = server.address() as AddressInfo
  const bare = host.replace(/^\[|\]$/g, '')
  const urlHost = wildcardAddresses.has(host) ? 'localhost' : isIPv6(bare) ? `[${bare}]` : bare
  return `http://${urlHost}:${port}`
}
