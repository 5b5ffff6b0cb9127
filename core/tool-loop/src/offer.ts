/** The tools that a model is offered: the caller's functions and the tools of servers, each under a unique name. */

import type { FunctionTool, RequestedServer, Tool, ToolsCapability, ToolServer, Served } from '@sallyport/core'

/** A server whose tools the model may call. */
export interface RemoteServer {
  /** The server's description and tools, from `ToolsCapability.list`. */
  readonly server: ToolServer
  /** The service that calls its tools. */
  readonly tools: Served<ToolsCapability>
  /** The server of the request; absent for a configured one. */
  readonly requested?: RequestedServer
  /** Names of the tools that may be used; all when absent. */
  readonly allowed?: readonly string[]
}

export interface RemoteTool {
  readonly owner: RemoteServer
  readonly tool: Tool
}

const maxNameLength = 64

/** Tools by the names under which the model knows them. */
export class ToolOffer {
  private readonly remote = new Map<string, RemoteTool>()

  /** A remote tool whose name is ambiguous or invalid becomes `label__name`. Functions always keep their names. */
  constructor(
    readonly functions: readonly FunctionTool[],
    servers: readonly RemoteServer[],
  ) {
    const tools = servers.flatMap((owner) => allowedOf(owner).map((tool) => ({ owner, tool })))
    const counts = countNames([...functions, ...tools.map(({ tool }) => tool)])
    const keepsName = ({ tool: { name } }: RemoteTool) => counts.get(name) === 1 && isValidName(name)
    for (const remote of tools) if (keepsName(remote)) this.remote.set(remote.tool.name, remote)
    for (const remote of tools) if (!keepsName(remote)) this.remote.set(this.qualifiedName(remote), remote)
  }

  /** All tools, in the form of chat requests. */
  get tools(): FunctionTool[] {
    const remote = [...this.remote].map(([name, { tool }]) => {
      const { description, parameters } = tool
      return { name, ...(description === undefined ? {} : { description }), parameters }
    })
    return [...this.functions, ...remote]
  }

  /** The labels of the remote tools' servers by the names of the tools; undefined for servers that a request names. */
  get servers(): ReadonlyMap<string, string | undefined> {
    return new Map(
      [...this.remote].map(([name, { owner }]) => [name, owner.requested ? undefined : owner.server.label] as const),
    )
  }

  get hasRemote(): boolean {
    return this.remote.size > 0
  }

  /** Whether the caller gets a call of this name. Without remote tools it gets every call. */
  isCallerFunction(name: string): boolean {
    return !this.hasRemote || this.functions.some((tool) => tool.name === name)
  }

  /** The remote tool that the model knows by this name. */
  find(name: string): RemoteTool | undefined {
    return this.remote.get(name)
  }

  /** The offered names of a server's tools, or of its tool `name`. */
  namesOf(label: string, name?: string): string[] {
    return [...this.remote]
      .filter(([, { owner, tool }]) => owner.server.label === label && (name === undefined || tool.name === name))
      .map(([offered]) => offered)
  }

  /** An offer of only these tools, under the same names. */
  restrictedTo(names: ReadonlySet<string>): ToolOffer {
    const functions = this.functions.filter(({ name }) => names.has(name))
    const subset = new ToolOffer(functions, [])
    for (const [name, remote] of this.remote) if (names.has(name)) subset.remote.set(name, remote)
    return subset
  }

  /** A valid name that is not taken. */
  private qualifiedName({ owner, tool }: RemoteTool): string {
    const qualified = `${owner.server.label}__${tool.name}`.replace(/[^\w-]/g, '_')
    for (let count = 1; ; count += 1) {
      const ending = count === 1 ? '' : `_${count}`
      const name = qualified.slice(0, maxNameLength - ending.length) + ending
      if (!this.remote.has(name) && !this.functions.some((tool) => tool.name === name)) return name
    }
  }
}

const allowedOf = ({ server, allowed }: RemoteServer): readonly Tool[] =>
  allowed ? server.tools.filter(({ name }) => allowed.includes(name)) : server.tools

const countNames = (tools: readonly { readonly name: string }[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { name } of tools) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

/** Whether model servers accept the name for a function. */
const isValidName = (name: string): boolean => /^[\w-]+$/.test(name) && name.length <= maxNameLength
