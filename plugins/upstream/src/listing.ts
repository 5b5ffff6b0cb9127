import { isSallyportError } from '@sallyport/core'
import type { LoadedDescriptor, Logger } from '@sallyport/core'
import { under } from './client/address.js'
import type { UpstreamClient } from './client/client.js'
import type { UpstreamOptions } from './options.js'
import { countOf, fieldsOf, isFields, listOf } from './wire/read.js'
import type { Fields } from './wire/read.js'

/** Milliseconds that the listing may take: the model is usable without it. */
const patience = 5000

/**
 * What the upstream server's listing says of a model. A server that cannot be reached, or does not list it, is worth a
 * line in the log and nothing more: it may come later.
 */
export const describeModel = async (
  client: UpstreamClient,
  model: string,
  { contextLength, features }: UpstreamOptions,
  log: Logger,
): Promise<LoadedDescriptor> => {
  const listed = await look(client, model, log)
  const length = contextLength ?? contextOf(listed)
  const ownedBy = nameOf(listed.owned_by)
  return {
    features,
    ...(length === undefined ? {} : { contextLength: length }),
    ...(ownedBy === undefined ? {} : { ownedBy }),
  }
}

const look = async (client: UpstreamClient, model: string, log: Logger): Promise<Fields> => {
  const signal = AbortSignal.timeout(patience)
  const call = { signal, deadline: Date.now() + patience, requestId: 'load', tenant: '' }
  try {
    return await client.ask({ route: (base) => under(base, '/models') }, call, (answer) => {
      const entries = listOf(fieldsOf(answer, 'the answer').data, 'data').filter(isFields)
      // llama-server serves one model, whatever name it is asked for.
      const entry = entries.find(({ id, owned_by }) => id === model || owned_by === 'llamacpp')
      if (!entry)
        log.warn({ upstreamModel: model, listed: entries.length }, 'the upstream server does not list the model')
      return entry ?? {}
    })
  } catch (error) {
    const problem = isSallyportError(error) ? error.message : 'no answer in time'
    log.warn({ problem }, 'the listing of the upstream server cannot be had: its models are served all the same')
    return {}
  }
}

/** As vLLM, llama-server, OpenRouter, Groq, and Mistral or Sallyport call it. */
const contextOf = (listed: Fields): number | undefined => {
  const { n_ctx } = isFields(listed.meta) ? listed.meta : {}
  const { max_model_len, context_length, context_window, max_context_length } = listed
  return [max_model_len, n_ctx, context_length, context_window, max_context_length]
    .map(countOf)
    .find((length) => length !== undefined && length > 0)
}

/** Anything longer, or with odd characters, is no owner's name. */
const nameOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\w .:@/-]{1,64}$/.test(value) ? value : undefined
