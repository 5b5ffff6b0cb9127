import { chat, isSallyportError, Vault } from '@sallyport/core'
import type { CallOptions, ModelDescriptor, ReplacedText } from '@sallyport/core'
import { runToolLoop } from '@sallyport/tool-loop'
import type { ToolLoopLimits, ToolLoopEvent } from '@sallyport/tool-loop'
import { causeOf, publicError } from '../../dialects/errors.js'
import { newHexId } from '../../dialects/values.js'
import { responseEvents } from '../../dialects/responses/response-events.js'
import type { ResponseContext } from '../../dialects/responses/response-events.js'
import { safeguardsField } from '../../safeguards/placement.js'
import { json, namedEvents } from '../answer.js'
import type { Answer } from '../answer.js'
import { post } from '../body-routes.js'
import type { Exchange, ExchangeContext } from '../exchange.js'
import { modelIdsRoute } from '../route.js'
import type { Route } from '../route.js'
import { responseChunk, responseResource } from './answer-schemas.js'
import { historyOf } from './history.js'
import type { History } from './history.js'
import { wireFieldOf } from './source-paths.js'
import { remoteServers } from './remote-servers.js'
import { echoOf, itemsOf, toChatRequest, toConversation } from './request.js'
import { responseRequest } from './schemas.js'
import type { ResponseBody } from './schemas.js'
import { toOffer } from './tool-choice.js'
import { positionsOf, parseTools } from './tools.js'
import type { McpTool } from './tools.js'

const handle = async (body: ResponseBody, exchange: Exchange): Promise<Answer> => {
  const { descriptor, service } = exchange.choose(chat, body.model)
  const wanted = parseTools(body.tools)
  const history = historyOf(body, exchange)
  const conversation = await exchange.withImages(chat, descriptor, 'input', (read) =>
    toConversation(body, history.earlier, exchange.context.options.limits.images, read),
  )
  const vault = new Vault(history.replaced)
  const { length: known } = vault.texts
  const call = { ...callOf(descriptor, exchange), vault }
  // Only the calls of the model report that the input has passed.
  const servers = await remoteServers(wanted.servers, exchange, { ...call, onInputPassed: () => undefined })
  const { offer, toolChoice } = toOffer(body.tool_choice, wanted.functions, servers)
  const sourcePaths = { messages: conversation.paths, functions: positionsOf(offer.functions, wanted) }
  exchange.wireField = wireFieldOf(sourcePaths, body)
  const request = toChatRequest(body, conversation, toolChoice)
  const toolLoop = { chat: service, offer, request, limits: limitsOf(body, exchange) }
  const loop = logFailedCalls(runToolLoop(toolLoop, call), exchange.context)
  const responseContext = responseContextOf(body, exchange, {
    model: descriptor.id,
    servers: wanted.servers,
    history,
    replaced: () => vault.texts.slice(known),
  })
  if (body.stream)
    return namedEvents((lastEventFields) => responseEvents(loop, { ...responseContext, lastEventFields }))
  return json(await lastResponse(responseEvents(loop, { ...responseContext, lastEventFields: () => ({}) })))
}

/** The model's policy applies to its tool calls, too, because the answer shows their output. */
const callOf = ({ policy }: ModelDescriptor, exchange: Exchange): CallOptions => {
  const call = exchange.callOptions()
  return { ...call, policies: [...(call.policies ?? []), ...(policy === undefined ? [] : [policy])] }
}

const limitsOf = ({ max_tool_calls: calls }: ResponseBody, { context }: Exchange): Partial<ToolLoopLimits> => {
  const { steps, seconds, toolSeconds } = context.options.responses
  return { steps, time: seconds * 1000, callTime: toolSeconds * 1000, ...(calls === undefined ? {} : { calls }) }
}

interface ResponseParameters {
  readonly model: string
  readonly servers: readonly McpTool[]
  readonly history: History
  /** What was replaced in this request, and not before. */
  readonly replaced: () => readonly ReplacedText[]
}

const responseContextOf = (
  body: ResponseBody,
  exchange: Exchange,
  { model, servers, history, replaced }: ResponseParameters,
): Omit<ResponseContext, 'lastEventFields'> => {
  const idPrefixes = new Map(servers.map((server) => [server.label, server.idPrefix]))
  return {
    dialect: exchange.context.dialect.name,
    id: newHexId('resp'),
    model,
    createdAt: Math.floor(Date.now() / 1000),
    store: history.isStored,
    echo: () => echoOf(body, hasReplaced(exchange)),
    idPrefixOf: (label) => idPrefixes.get(label) ?? 'mcp',
    describe: (error) => publicError(error, exchange.context.requestId, exchange.wireField),
    save: (state) => history.save(state, itemsOf(body), replaced()),
  }
}

const lastResponse = async (events: AsyncIterable<{ readonly [field: string]: unknown }>): Promise<unknown> => {
  let response: unknown
  for await (const event of events) response = event['response'] ?? response
  return response
}

const hasReplaced = ({ verdicts }: Exchange): boolean =>
  verdicts.some(({ stage, verdict, mode }) => stage === 'input' && verdict === 'replace' && mode === 'enforce')

export const responseRoutes: readonly Route[] = [
  post({
    path: '/responses',
    capability: chat.name,
    tag: 'Generation',
    summary: 'Answer with tools',
    request: responseRequest,
    response: responseResource,
    chunk: responseChunk,
    safeguards: safeguardsField,
    handle,
  }),
  modelIdsRoute('/responses', chat),
]

/** Passes all events on, and logs why tool calls failed. */
async function* logFailedCalls(
  loop: AsyncIterable<ToolLoopEvent>,
  { logger, requestId }: Pick<ExchangeContext, 'logger' | 'requestId'>,
): AsyncGenerator<ToolLoopEvent> {
  for await (const event of loop) {
    if (event.type === 'call_ended' && event.cause !== undefined) {
      const { call, cause } = event
      const fields = { requestId, server: call.server, tool: call.name }
      const code = isSallyportError(cause) ? { code: cause.code } : {}
      logger.warn({ ...fields, ...code, error: causeOf(cause) }, 'a tool call failed')
    }
    yield event
  }
}
