/** What a model is offered: the caller's functions and the tools of servers, each under a name of its own. */

import type { FunctionTool, RequestedServer, Tool, ToolsCapability, ToolServer, Served } from '@sallyport/core'

/** A server whose tools the model may call. */
export interface RemoteServer {
  /** As it was listed. */
  readonly server: ToolServer
  /** Who calls its tools. */
  readonly tools: Served<ToolsCapability>
  /** Where a request named the server. */
  readonly requested?: RequestedServer
  /** Names of the tools that may be used; all when absent. */
  readonly allowed?: readonly string[]
}

export interface RemoteTool {
  readonly from: RemoteServer
  readonly tool: Tool
}

const longestName = 64

/** Tools under the names that the model knows them by. */
export class ToolOffer {
  private readonly remote = new Map<string, RemoteTool>()

  /** A tool keeps its own name where no other has it; else it becomes `label__name`. Functions keep theirs always. */
  constructor(
    readonly functions: readonly FunctionTool[],
    servers: readonly RemoteServer[],
  ) {
    const tools = servers.flatMap((from) => allowedOf(from).map((tool) => ({ from, tool })))
    const taken = new Set(functions.map(({ name }) => name))
    const counts = countNames([...taken, ...tools.map(({ tool }) => tool.name)])
    const isOwn = ({ tool: { name } }: RemoteTool) => counts.get(name) === 1 && isValidName(name)
    for (const remote of tools) if (isOwn(remote)) this.add(remote.tool.name, remote, taken)
    for (const remote of tools)
      if (!isOwn(remote)) this.add(unique(`${remote.from.server.label}__${remote.tool.name}`, taken), remote, taken)
  }

  /** In the form in which models are told of them. */
  get tools(): FunctionTool[] {
    const remote = [...this.remote].map(
      ([
        name,
        {
          tool: { description, parameters },
        },
      ]) => ({
        name,
        ...(description === undefined ? {} : { description }),
        parameters,
      }),
    )
    return [...this.functions, ...remote]
  }

  get hasRemote(): boolean {
    return this.remote.size > 0
  }

  /** Whether a call of this name is handed to the caller: where nothing else is offered, every one is. */
  isCallers(name: string): boolean {
    return !this.hasRemote || this.functions.some((tool) => tool.name === name)
  }

  /** The remote tool that the model knows by this name. */
  find(name: string): RemoteTool | undefined {
    return this.remote.get(name)
  }

  /** The names of a server's tools, or of one of them. */
  namesOf(label: string, name?: string): string[] {
    return [...this.remote]
      .filter(([, { from, tool }]) => from.server.label === label && (name === undefined || tool.name === name))
      .map(([offered]) => offered)
  }

  /** The same with fewer tools, under the same names. */
  only(names: ReadonlySet<string>): ToolOffer {
    const fewer = new ToolOffer(
      this.functions.filter(({ name }) => names.has(name)),
      [],
    )
    for (const [name, remote] of this.remote) if (names.has(name)) fewer.remote.set(name, remote)
    return fewer
  }

  private add(name: string, remote: RemoteTool, taken: Set<string>): void {
    taken.add(name)
    this.remote.set(name, remote)
  }
}

const allowedOf = ({ server, allowed }: RemoteServer): readonly Tool[] =>
  allowed ? server.tools.filter(({ name }) => allowed.includes(name)) : server.tools

const countNames = (names: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

/** What model servers take as the name of a function. */
const isValidName = (name: string): boolean => /^[\w-]+$/.test(name) && name.length <= longestName

const unique = (wanted: string, taken: ReadonlySet<string>): string => {
  const valid = wanted.replace(/[^\w-]/g, '_')
  for (let count = 1; ; count += 1) {
    const ending = count === 1 ? '' : `_${count}`
    const name = valid.slice(0, longestName - ending.length) + ending
    if (!taken.has(name)) return name
  }
}
