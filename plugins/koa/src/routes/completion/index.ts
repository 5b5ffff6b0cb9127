import { completion } from '@sallyport/core'
import type { CallOptions, CompletionCapability, CompletionChunk, CompletionRequest, Served } from '@sallyport/core'
import { mapBounded, mergeStreams } from '@sallyport/kit/async'
import type { FieldNames } from '../../body/wire-path.js'
import { invalidField } from '../../invalid-field.js'
import { inputAndOutputFields } from '../../safeguards/placement.js'
import { completionEvents, textCompletion } from '../../dialects/completion.js'
import { events, json } from '../answer.js'
import type { Answer } from '../answer.js'
import type { Exchange, ExchangeContext } from '../exchange.js'
import { omitUndefined, generationFields, generationOptions } from '../generation.js'
import { post } from '../body-routes.js'
import { modelIdsRoute } from '../route.js'
import type { Route } from '../route.js'
import { completionChunk, completionRequest, completionResponse } from './schemas.js'
import type { CompletionBody } from './schemas.js'

type Completion = Served<CompletionCapability>

const handle = async (body: CompletionBody, exchange: Exchange): Promise<Answer> => {
  const { descriptor, service } = exchange.choose(completion, body.model)
  const requests = toCompletionRequests(body, defaultMaxTokens(exchange.context))
  const call = exchange.callOptions(requests.length)
  const envelope = exchange.envelope('cmpl', 'text_completion', descriptor.id)
  if (!body.stream) return json(textCompletion(await generateAll(service, requests, call), envelope))
  const perPrompt = body.n ?? 1
  const chunks = streamAll(service, requests, call, perPrompt)
  return events((lastEventFields) =>
    completionEvents(exchange.context.dialect.name, chunks, envelope, {
      includeUsage: body.stream_options?.include_usage ?? false,
      choices: requests.length * perPrompt,
      perPrompt,
      lastEventFields,
    }),
  )
}

/** The fields of the body that {@link toCompletionRequests} reads, by the kernel's names. */
const completionFields: FieldNames = { ...generationFields, topLogprobs: 'logprobs' }

/**
 * One request per prompt.
 * @param maxTokens the default, where the body has no `max_tokens`
 * @throws invalid_request
 */
const toCompletionRequests = (body: CompletionBody, maxTokens: number): CompletionRequest[] => {
  if (body.echo && body.logprobs !== undefined)
    throw invalidField('echo', 'must not be true beside "logprobs": the log-probabilities of the prompt are not known')
  const prompts = typeof body.prompt === 'string' ? [body.prompt] : body.prompt
  const common = {
    maxTokens,
    ...generationOptions(body),
    ...omitUndefined({ suffix: body.suffix, echo: body.echo, topLogprobs: body.logprobs }),
  }
  return prompts.map((prompt) => ({ prompt, ...common }))
}

/** Without `max_tokens`, a model would continue until its context is full. */
const defaultMaxTokens = ({ options: { completions }, dialect }: ExchangeContext): number =>
  dialect.name === 'openai' ? completions.v1MaxTokens : completions.maxTokens

/** How many prompts of one request run at the same time: it must not fill the model's queue by itself. */
const maxConcurrentPrompts = 8

/** The first failure ends the others. */
const generateAll = async (service: Completion, requests: readonly CompletionRequest[], call: CallOptions) => {
  const others = new AbortController()
  const signal = call.signal ? AbortSignal.any([call.signal, others.signal]) : others.signal
  try {
    return await mapBounded(requests, maxConcurrentPrompts, (request, at) =>
      service.generate(request, { ...promptCall(call, at), signal }),
    )
  } catch (error) {
    others.abort(error)
    throw error
  }
}

/** The options of the call for one prompt: spans of its verdicts name that prompt. */
const promptCall = (call: CallOptions, at: number): CallOptions => ({
  ...call,
  onVerdict: ({ spans, ...verdict }) => {
    const named = spans?.map((span) => ({ ...span, field: span.field.replace(/^prompt/, `prompt[${at}]`) }))
    call.onVerdict?.({ ...verdict, ...(named ? { spans: named } : {}) })
  },
})

/** The streams of all prompts, their choices numbered in the order of the prompts. */
const streamAll = (
  service: Completion,
  requests: readonly CompletionRequest[],
  call: CallOptions,
  perPrompt: number,
) => {
  const lanes = Array.from({ length: Math.min(maxConcurrentPrompts, requests.length) }, async function* (_, lane) {
    for (let at = lane; at < requests.length; at += maxConcurrentPrompts) {
      const request = requests[at]
      if (request) yield* numbered(service.stream(request, promptCall(call, at)), at * perPrompt)
    }
  })
  return mergeStreams(lanes)
}

async function* numbered(chunks: AsyncIterable<CompletionChunk>, first: number): AsyncGenerator<CompletionChunk> {
  for await (const chunk of chunks) yield { ...chunk, choice: first + (chunk.choice ?? 0) }
}

export const completionRoutes: readonly Route[] = [
  post({
    path: '/completions',
    capability: completion.name,
    tag: 'Generation',
    summary: 'Continue a text',
    request: completionRequest,
    response: completionResponse,
    chunk: completionChunk,
    safeguards: inputAndOutputFields,
    fields: completionFields,
    handle,
  }),
  modelIdsRoute('/completions', completion),
]
