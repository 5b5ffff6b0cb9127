import { isRecord } from '@sallyport/kit/json'
import { isSallyportError } from '@sallyport/core'
import type { LoadedDescriptor, Logger, ModelFeatures } from '@sallyport/core'
import type { UpstreamRequest, UpstreamClient } from './client/client.js'
import type { ServerKind, UpstreamOptions } from './options.js'
import { countOf, fieldsOf, listOf } from './wire/read.js'
import type { Fields } from './wire/read.js'

/** The time limit of a request, in milliseconds. The model is usable without its response. */
const timeout = 5000

/** The owner that llama-server names in its listing. */
const llamaServerOwner = 'llamacpp'

/** The facts that the server lists about a model. */
export interface Discovery {
  readonly descriptor: LoadedDescriptor & { readonly features: ModelFeatures }
  readonly kind: ServerKind
}

/**
 * Asks the upstream server about a model and about itself. A server that cannot be reached, or does not list the model,
 * is logged and nothing more, because it may come later. The configuration takes precedence.
 */
export const discover = async (
  client: UpstreamClient,
  model: string,
  options: UpstreamOptions,
  log: Logger,
): Promise<Discovery> => {
  const listed = await listing(client, model, log)
  const ownedBy = ownerName(listed.owned_by)
  const listedKind = ownedBy === llamaServerOwner ? 'llama-server' : 'openai'
  const kind = options.kind === 'auto' ? listedKind : options.kind
  const contextLength = options.contextLength ?? contextLengthOf(listed)
  const found = kind === 'llama-server' ? await llamaServerFeatures(client, log) : {}
  const descriptor = {
    features: { ...found, ...options.features },
    ...(contextLength === undefined ? {} : { contextLength }),
    ...(ownedBy === undefined ? {} : { ownedBy }),
  }
  return { descriptor, kind }
}

const ask = async (client: UpstreamClient, request: UpstreamRequest, log: Logger): Promise<Fields | undefined> => {
  const signal = AbortSignal.timeout(timeout)
  const call = { signal, deadline: Date.now() + timeout, requestId: 'load', tenant: '' }
  try {
    return await client.ask(request, call, (answer) => fieldsOf(answer, 'the answer'))
  } catch (error) {
    const problem = isSallyportError(error) ? error.message : 'no answer in time'
    log.warn({ problem }, 'the upstream server does not describe itself: the model is served all the same')
    return undefined
  }
}

/** The model's entry in the list of the server; empty where there is none. */
const listing = async (client: UpstreamClient, model: string, log: Logger): Promise<Fields> => {
  const answer = await ask(client, { path: '/models' }, log)
  if (!answer) return {}
  const entries = Array.isArray(answer.data) ? listOf(answer.data, 'data').filter(isRecord) : []
  // llama-server serves its one model under any name.
  const entry = entries.find(({ id, owned_by }) => id === model || owned_by === llamaServerOwner)
  if (!entry) log.warn({ upstreamModel: model, listed: entries.length }, 'the upstream server does not list the model')
  return entry ?? {}
}

/** The field has a different name in vLLM, llama-server, OpenRouter, Groq, and Mistral or Sallyport. */
const contextLengthOf = (listed: Fields): number | undefined => {
  const { n_ctx } = isRecord(listed.meta) ? listed.meta : {}
  const { max_model_len, context_length, context_window, max_context_length } = listed
  return [max_model_len, n_ctx, context_length, context_window, max_context_length]
    .map(countOf)
    .find((length) => length !== undefined && length > 0)
}

/** Longer strings, and strings with other characters, are not names. */
const ownerName = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\w .:@/-]{1,64}$/.test(value) ? value : undefined

/** llama-server derives these from the model's chat template and its projector. */
const llamaServerFeatures = async (client: UpstreamClient, log: Logger): Promise<ModelFeatures> => {
  const { modalities, chat_template_caps: template } =
    (await ask(client, { path: '/props', outsideV1: true }, log)) ?? {}
  const image = isRecord(modalities) ? modalities.vision : undefined
  const tools = isRecord(template) ? template.supports_tool_calls : undefined
  return {
    ...(typeof image === 'boolean' ? { image } : {}),
    ...(typeof tools === 'boolean' ? { tools } : {}),
  }
}
