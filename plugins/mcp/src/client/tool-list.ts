/** The list of a server's tools, page by page. */

import type { Logger } from '@sallyport/core'
import { ServerFault } from '../fault.js'
import { listedTool } from '../tool.js'
import type { ListedTool } from '../tool.js'

const mostPages = 100
const mostTools = 1000
/** Bytes of JSON of all tools. */
const mostBytes = 4 * 1024 * 1024

type Page = Readonly<Record<string, unknown>>

/**
 * @param ask for the page at a cursor
 * @throws ServerFault for a list that does not end, or is none; what `ask` throws
 */
export const listTools = async (ask: (cursor?: string) => Promise<Page>, log: Logger): Promise<ListedTool[]> => {
  const tools = new Map<string, ListedTool>()
  let [listed, bytes] = [0, 0]
  let cursor: string | undefined
  for (let page = 0; page < mostPages; page += 1) {
    const { tools: items, nextCursor } = await ask(cursor)
    if (!Array.isArray(items)) throw new ServerFault('lists no tools')
    listed += items.length
    bytes += JSON.stringify(items).length
    if (listed > mostTools || bytes > mostBytes)
      throw new ServerFault(`lists more than ${mostTools} tools, or ${mostBytes} bytes`)
    addTools(tools, items, log)
    if (typeof nextCursor !== 'string' || nextCursor === cursor) return [...tools.values()]
    cursor = nextCursor
  }
  throw new ServerFault(`lists its tools on more than ${mostPages} pages`)
}

/** Of two with the same name the first is meant. */
const addTools = (tools: Map<string, ListedTool>, items: readonly unknown[], log: Logger): void => {
  let left = 0
  for (const item of items) {
    const tool = listedTool(item)
    if (tool && !tools.has(tool.name)) tools.set(tool.name, tool)
    else left += 1
  }
  if (left) log.warn({ left }, 'tools with odd names, names of others, or no schema are left out')
}
