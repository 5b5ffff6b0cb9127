import { isRecord } from '@sallyport/kit/json'
import { isSallyportError } from '@sallyport/core'
import type { LoadedDescriptor, Logger, ModelFeatures } from '@sallyport/core'
import type { Question, UpstreamClient } from './client/client.js'
import type { ServerKind, UpstreamOptions } from './options.js'
import { countOf, fieldsOf, listOf } from './wire/read.js'
import type { Fields } from './wire/read.js'

/** Milliseconds that a question may take: the model is usable without the answer. */
const patience = 5000

/** How llama-server signs its listing. */
const llamaServerOwner = 'llamacpp'

/** What was found out about a model. */
export interface Discovery {
  readonly descriptor: LoadedDescriptor & { readonly features: ModelFeatures }
  readonly kind: ServerKind
}

/**
 * Asks the upstream server about a model and about itself. A server that cannot be reached, or does not list the model,
 * is worth a line in the log and nothing more: it may come later. What the configuration says holds in any case.
 */
export const discover = async (
  client: UpstreamClient,
  model: string,
  options: UpstreamOptions,
  log: Logger,
): Promise<Discovery> => {
  const listed = await listing(client, model, log)
  const ownedBy = nameOf(listed.owned_by)
  const listedKind = ownedBy === llamaServerOwner ? 'llama-server' : 'openai'
  const kind = options.kind === 'auto' ? listedKind : options.kind
  const contextLength = options.contextLength ?? contextOf(listed)
  const found = kind === 'llama-server' ? await llamaServerFeatures(client, log) : {}
  const descriptor = {
    features: { ...found, ...options.features },
    ...(contextLength === undefined ? {} : { contextLength }),
    ...(ownedBy === undefined ? {} : { ownedBy }),
  }
  return { descriptor, kind }
}

const ask = async (client: UpstreamClient, question: Question, log: Logger): Promise<Fields | undefined> => {
  const signal = AbortSignal.timeout(patience)
  const call = { signal, deadline: Date.now() + patience, requestId: 'load', tenant: '' }
  try {
    return await client.ask(question, call, (answer) => fieldsOf(answer, 'the answer'))
  } catch (error) {
    const problem = isSallyportError(error) ? error.message : 'no answer in time'
    log.warn({ problem }, 'the upstream server does not describe itself: the model is served all the same')
    return undefined
  }
}

/** The model's entry. */
const listing = async (client: UpstreamClient, model: string, log: Logger): Promise<Fields> => {
  const answer = await ask(client, { path: '/models' }, log)
  if (!answer) return {}
  const entries = Array.isArray(answer.data) ? listOf(answer.data, 'data').filter(isRecord) : []
  // llama-server serves one model, whatever name it is asked for.
  const entry = entries.find(({ id, owned_by }) => id === model || owned_by === llamaServerOwner)
  if (!entry) log.warn({ upstreamModel: model, listed: entries.length }, 'the upstream server does not list the model')
  return entry ?? {}
}

/** vLLM, llama-server, OpenRouter, Groq, and Mistral or Sallyport have names of their own for it. */
const contextOf = (listed: Fields): number | undefined => {
  const { n_ctx } = isRecord(listed.meta) ? listed.meta : {}
  const { max_model_len, context_length, context_window, max_context_length } = listed
  return [max_model_len, n_ctx, context_length, context_window, max_context_length]
    .map(countOf)
    .find((length) => length !== undefined && length > 0)
}

/** Anything longer, or with odd characters, is no owner's name. */
const nameOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\w .:@/-]{1,64}$/.test(value) ? value : undefined

/** llama-server knows these from the model's chat template and its projector. */
const llamaServerFeatures = async (client: UpstreamClient, log: Logger): Promise<ModelFeatures> => {
  const { modalities, chat_template_caps: template } = (await ask(client, { path: '/props', beside: true }, log)) ?? {}
  const image = isRecord(modalities) ? modalities.vision : undefined
  const tools = isRecord(template) ? template.supports_tool_calls : undefined
  return {
    ...(typeof image === 'boolean' ? { image } : {}),
    ...(typeof tools === 'boolean' ? { tools } : {}),
  }
}
