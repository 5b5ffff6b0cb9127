/** Finds the tool servers that a request names. */

import { failure, isSallyportError, tools } from '@sallyport/core'
import type { CallOptions, Served, ToolsCapability, ToolServer } from '@sallyport/core'
import { mapBounded } from '@sallyport/kit/async'
import type { RemoteServer } from '@sallyport/tool-loop'
import type { Exchange } from '../exchange.js'
import type { McpTool } from './tools.js'

/** How many servers of a request are looked up at the same time. */
const maxConcurrent = 4

/** @throws unsupported and invalid_request, which name the field of the body; what listing throws */
export const remoteServers = (
  wanted: readonly McpTool[],
  exchange: Exchange,
  call: CallOptions,
): Promise<RemoteServer[]> => {
  const services = exchange.models(tools).map(({ id }) => exchange.context.kernel.get(tools, id))
  return mapBounded(wanted, maxConcurrent, (server) => findServer(server, services, call))
}

const findServer = async (
  wanted: McpTool,
  services: readonly Served<ToolsCapability>[],
  call: CallOptions,
): Promise<RemoteServer> => {
  const { requested, allowed } = wanted
  const { server, service } = await listedServer(wanted, services, call)
  refuseMissing(wanted, server)
  return { server, tools: service, ...(requested ? { requested } : {}), ...(allowed ? { allowed } : {}) }
}

/** Finds a server and the service that lists it. */
const listedServer = async (
  wanted: McpTool,
  services: readonly Served<ToolsCapability>[],
  call: CallOptions,
): Promise<{ readonly server: ToolServer; readonly service: Served<ToolsCapability> }> => {
  const { label, requested } = wanted
  let refusal: unknown
  for (const service of services)
    try {
      const { servers } = await service.list(requested ? { requested } : { server: label }, call)
      const server = servers.find((listed) => listed.label === label)
      if (server) return { server, service }
    } catch (error) {
      if (!isSallyportError(error) || (error.code !== 'unsupported' && error.code !== 'invalid_request')) throw error
      refusal ??= error
    }
  throw refused(wanted, refusal)
}

/** Refuses allowed tools that the server lacks; ignoring them would hide the mistake from the caller. */
const refuseMissing = ({ label, allowed = [], path }: McpTool, { tools: offered }: ToolServer): void => {
  const missing = allowed.filter((name) => !offered.some((tool) => tool.name === name))
  if (missing.length === 0) return
  const names = offered.map(({ name }) => name).join(', ') || 'no tools'
  throw failure('unsupported', {
    field: `${path}.allowed_tools`,
    problem: `${label} has no tool ${missing.join(', ')}, or one that waits for approval by the operator, or that a safeguard leaves out; it has: ${names}`,
  })
}

/** The body's names of a server's fields, by the kernel's names. */
const fields: Readonly<Record<string, string>> = {
  server: 'server_label',
  'requested.label': 'server_label',
  'requested.description': 'server_description',
  'requested.authorization': 'authorization',
  'requested.headers': 'headers',
}

const refused = ({ label, requested, path }: McpTool, error: unknown): Error => {
  const usual = requested ? 'server_url' : 'server_label'
  if (!isSallyportError(error))
    return failure('unsupported', {
      field: `${path}.${usual}`,
      problem: `there is no tool server ${label}: GET /mcp_servers lists the known ones`,
    })
  const { field, problem } = error.details
  const named = typeof field === 'string' ? fields[field.replace(/\[.*/, '')] : undefined
  const details = { field: `${path}.${named ?? usual}`, problem: typeof problem === 'string' ? problem : error.message }
  return failure(error.code === 'invalid_request' ? 'invalid_request' : 'unsupported', details, { cause: error })
}
