import {
  baseDirectory,
  chat,
  completion,
  embedding,
  inject,
  injectable,
  logger,
  modelSpec,
  provide,
  reportState,
  rerank,
  tokens,
} from '@sallyport/core'
import type { LoadedModel, Logger, ModelBackend, ModelSpec, Provision, ReportState } from '@sallyport/core'
import type { Dispatcher } from 'undici'
import { UpstreamChat } from './chat.js'
import { createDispatcher, isLoopback, parseBaseUrl, withPort } from './client/address.js'
import { UpstreamClient } from './client/client.js'
import { UpstreamCompletion } from './completion.js'
import { UpstreamEmbedding } from './embedding.js'
import { discover } from './discovery.js'
import type { Discovery } from './discovery.js'
import type { ProvidedCapability, UpstreamOptions } from './options.js'
import { UpstreamRerank } from './rerank.js'
import { SupervisedServer } from './server/supervised-server.js'
import { UpstreamTokens } from './tokens.js'

/** The default address of a server that this plugin starts. */
const ownUrl = 'http://127.0.0.1:{port}/v1'

/** One model of an OpenAI-compatible server, which is started first where `server` is configured. */
@injectable()
export class OpenAIBackend implements ModelBackend {
  readonly #log: Logger
  readonly #upstreamModel: string
  #server: SupervisedServer | undefined
  #dispatcher: Dispatcher | undefined

  constructor(
    @inject(modelSpec) private readonly spec: ModelSpec<UpstreamOptions>,
    @inject(logger) log: Logger,
    @inject(baseDirectory) private readonly directory: string,
    @inject(reportState) private readonly report: ReportState,
  ) {
    this.#log = log.child({ model: spec.id })
    this.#upstreamModel = spec.options.model ?? spec.id
  }

  async load(): Promise<LoadedModel> {
    const { id, options } = this.spec
    const template = options.url ?? ownUrl
    const base = parseBaseUrl(withPort(template, 1), id)
    if (options.apiKey && base.protocol === 'http:' && !isLoopback(base))
      this.#log.warn({ host: base.host }, 'the key is sent over the network unencrypted: use https')
    const dispatcher = createDispatcher(base, options.timeouts.connect)
    this.#dispatcher = dispatcher
    const context = { dispatcher, log: this.#log, directory: this.directory, report: this.report }
    const server = options.server && new SupervisedServer(id, options.server, template, context)
    this.#server = server
    await server?.start()
    const url = server ? () => server.url() : () => base
    const client = new UpstreamClient({ model: id, dispatcher, url }, options, this.#log)
    const found = await discover(client, this.#upstreamModel, options, this.#log)
    return {
      provides: options.capabilities.map((capability) => this.#provide(capability, client, found)),
      descriptor: found.descriptor,
    }
  }

  async stop(): Promise<void> {
    await this.#server?.stop()
    await this.#dispatcher?.destroy()
  }

  #provide(capability: ProvidedCapability, client: UpstreamClient, { descriptor, kind }: Discovery): Provision {
    const { options } = this.spec
    const model = this.#upstreamModel
    const defaults = { ...options.body, model }
    switch (capability) {
      case 'chat':
        return provide(chat, new UpstreamChat(client, defaults, descriptor.features, kind))
      case 'completion':
        return provide(completion, new UpstreamCompletion(client, defaults, options.infill))
      case 'embedding':
        return provide(embedding, new UpstreamEmbedding(client, model, options.embedding))
      case 'rerank':
        return provide(rerank, new UpstreamRerank(client, model, options.rerank))
      case 'tokens':
        return provide(tokens, new UpstreamTokens(client, model))
    }
  }
}
