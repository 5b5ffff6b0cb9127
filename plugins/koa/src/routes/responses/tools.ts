/** The tools of a request: the caller's functions, and servers with remote tools. */

import type { FunctionTool, RequestedServer } from '@sallyport/core'
import { omitUndefined } from '../generation.js'
import type { ResponseToolBody } from './tool-schemas.js'
import { invalidField } from '../../invalid-field.js'

/** A tool of the type `mcp`: a server whose tools the model may call. */
export interface McpTool {
  readonly label: string
  /** Set where the request gives the server's URL. */
  readonly requested: RequestedServer | undefined
  readonly allowed: readonly string[] | undefined
  /** The prefix of the ids of its calls. */
  readonly idPrefix: string
  /** Its path in the body. */
  readonly path: string
}

export interface ParsedTools {
  readonly functions: readonly FunctionTool[]
  /** Positions of the functions in the body. */
  readonly positions: readonly number[]
  readonly servers: readonly McpTool[]
}

/** @throws invalid_request */
export const parseTools = (tools: ResponseToolBody | ResponseToolBody[] | undefined): ParsedTools => {
  const list = tools === undefined ? [] : [tools].flat()
  const pathOf = (position: number) => (Array.isArray(tools) ? `tools[${position}]` : 'tools')
  const located = list.map((tool, position) => ({ tool, position, path: pathOf(position) }))
  const functions = located.filter(({ tool }) => tool.type === 'function')
  const servers = located.filter(({ tool }) => tool.type === 'mcp')
  refuseDuplicates(functions, 'name')
  refuseDuplicates(servers, 'server_label')
  return {
    functions: functions.map(({ tool, path }) => toFunction(tool, path)),
    positions: functions.map(({ position }) => position),
    servers: servers.map(({ tool, path }) => toMcpTool(tool, path)),
  }
}

/** @throws invalid_request for the first duplicate */
const refuseDuplicates = (
  tools: readonly { readonly tool: ResponseToolBody; readonly path: string }[],
  field: 'name' | 'server_label',
): void => {
  const names = tools.map(({ tool }) => tool[field])
  const duplicate = tools.find((_, at) => names[at] !== undefined && names.indexOf(names[at]) < at)
  const all = field === 'name' ? 'names' : 'labels'
  if (duplicate) throw invalidField(`${duplicate.path}.${field}`, `must differ from the ${all} of the other tools`)
}

/** The body positions of the functions that are offered; `tool_choice` may leave some out. */
export const positionsOf = (offered: readonly FunctionTool[], { functions, positions }: ParsedTools): number[] =>
  positions.filter((_, index) => offered.some((tool) => tool === functions[index]))

const toFunction = ({ name, description, parameters, strict }: ResponseToolBody, path: string): FunctionTool => {
  if (name === undefined)
    throw invalidField(`${path}.name`, 'is required: give it beside the type, not inside another object')
  return { name, ...omitUndefined({ description, parameters, strict }) }
}

const toMcpTool = (tool: ResponseToolBody, path: string): McpTool => {
  const { server_label: label, server_url: url } = tool
  if (label === undefined)
    throw invalidField(`${path}.server_label`, 'is required: GET /mcp_servers lists the labels of the configuration')
  if (url === undefined) refuseCredentials(tool, path)
  else if (!URL.canParse(url)) throw invalidField(`${path}.server_url`, 'must be a URL, such as https://host/mcp')
  return {
    label,
    requested: url === undefined ? undefined : toRequested(tool, label, url),
    allowed: allowedNames(tool.allowed_tools),
    idPrefix: tool.initials ?? 'mcp',
    path,
  }
}

/** Refuses a caller's credentials for a server of the configuration, which has its own. */
const refuseCredentials = (tool: ResponseToolBody, path: string): void => {
  for (const name of ['authorization', 'headers'] as const)
    if (tool[name] !== undefined)
      throw invalidField(`${path}.${name}`, 'needs "server_url": configured servers have credentials of their own')
}

const toRequested = (tool: ResponseToolBody, label: string, url: string): RequestedServer => ({
  label,
  url,
  ...omitUndefined({
    description: tool.server_description,
    authorization: tool.authorization,
    headers: tool.headers && Object.entries(tool.headers).map(([name, value]) => ({ name, value })),
  }),
})

const allowedNames = (allowed: ResponseToolBody['allowed_tools']): readonly string[] | undefined => {
  if (allowed === undefined) return undefined
  if (!Array.isArray(allowed)) return allowed.tool_names
  return allowed.map((tool) => (typeof tool === 'string' ? tool : tool.name))
}
