/** Listings of tool servers and their tools. */

import { mapBounded } from '@sallyport/kit/async'
import { tools } from '@sallyport/core'
import type { Tool, ToolServer } from '@sallyport/core'
import { json } from './answer.js'
import type { Answer } from './answer.js'
import type { Exchange } from './exchange.js'
import { listingDate } from './models.js'
import { get } from './route.js'
import type { Route } from './route.js'
import { objectOf, listingDate as date, listOf, opaque, text } from '../schemas/common.js'
import { jsonSchema } from '../schemas/messages.js'

const label = opaque('from the configuration')

const servers = objectOf({
  object: { type: 'string', enum: ['list'] },
  data: listOf(
    objectOf({
      server_label: label,
      object: { type: 'string', enum: ['mcp_server'] },
      created: date,
      owned_by: text,
      server_description: text,
      available_tools: listOf(text),
    }),
  ),
})

const tool = objectOf({
  id: text,
  object: { type: 'string', enum: ['mcp_tool'] },
  created: date,
  owned_by: text,
  description: text,
  parameters: jsonSchema,
})

const toolsByServer = objectOf({
  object: { type: 'string', enum: ['list'] },
  data: { type: 'object', propertyNames: label, additionalProperties: listOf(tool) },
})

interface ListedServer extends ToolServer {
  readonly date: number | string
  readonly owner: string
}

/** How many services are asked at the same time. */
const maxConcurrent = 4

/** The servers of all models that the caller may use; of two servers with one label, the first counts. */
const serversFor = async (exchange: Exchange): Promise<ListedServer[]> => {
  const call = exchange.callOptions()
  const lists = await mapBounded(exchange.models(tools), maxConcurrent, async ({ id, ownedBy, created }) => {
    const listed = await exchange.context.kernel.get(tools, id).list({}, call)
    return listed.servers.map((server) => ({
      ...server,
      date: listingDate(server.created ?? created, exchange),
      owner: server.ownedBy ?? ownedBy,
    }))
  })
  const byLabel = new Map<string, ListedServer>()
  for (const server of lists.flat()) if (!byLabel.has(server.label)) byLabel.set(server.label, server)
  return [...byLabel.values()]
}

const listServers = async (exchange: Exchange): Promise<Answer> =>
  json({ object: 'list', data: (await serversFor(exchange)).map(wireServer) })

const listTools = async (exchange: Exchange): Promise<Answer> => {
  const all = await serversFor(exchange)
  return json({ object: 'list', data: Object.fromEntries(all.map((server) => [server.label, wireTools(server)])) })
}

const wireServer = ({ label: name, description = '', tools: available, date: created, owner }: ListedServer) => ({
  server_label: name,
  object: 'mcp_server',
  created,
  owned_by: owner,
  server_description: description,
  available_tools: available.map((one) => one.name),
})

const wireTools = ({ tools: available, date: created, owner }: ListedServer) =>
  available.map(({ name, description = '', parameters }: Tool) => ({
    id: name,
    object: 'mcp_tool',
    created,
    owned_by: owner,
    description,
    parameters,
  }))

const common = { dialects: ['specification'], tag: 'Discovery' } as const

/** These routes are served even without a tool server. */
export const toolServerRoutes: readonly Route[] = [
  get({ ...common, path: '/mcp_servers', summary: 'List tool servers', response: servers, handle: listServers }),
  get({ ...common, path: '/mcp_tools', summary: 'List tools by server', response: toolsByServer, handle: listTools }),
]
