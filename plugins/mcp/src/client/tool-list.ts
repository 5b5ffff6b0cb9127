/** The list of a server's tools, page by page. */

import { isRecord } from '@sallyport/kit/json'
import type { Logger } from '@sallyport/core'
import type { Pacer } from '@sallyport/kit/async'
import { ServerFault } from '../fault.js'
import type { Limits } from '../options.js'
import { mostTold } from '../schemas.js'
import { oversizeOf } from '../tool-size.js'
import { cleanLine } from '../text.js'
import { listedTool } from '../tool.js'
import type { ListedTool } from '../tool.js'

const mostPages = 100
/** Bytes of JSON of all tools. */
const mostBytes = 4 * 1024 * 1024

type Page = Readonly<Record<string, unknown>>

export interface ListingParts {
  readonly limits: Pick<Limits, 'maxTools' | 'maxDescription'>
  readonly logger: Logger
  /** Tools are read in turns with other work. */
  readonly pacer: Pacer
}

/**
 * @param ask for the page at a cursor
 * @throws ServerFault for a list that does not end, or is none; what `ask` throws; the reason of the pacer's signal
 */
export const listTools = async (
  ask: (cursor?: string) => Promise<Page>,
  parts: ListingParts,
): Promise<readonly ListedTool[]> => {
  const { maxTools } = parts.limits
  const tools = new Map<string, ListedTool>()
  let [listed, bytes] = [0, 0]
  let cursor: string | undefined
  for (let page = 0; page < mostPages; page += 1) {
    const { tools: items, nextCursor } = await ask(cursor)
    if (!Array.isArray(items)) throw new ServerFault('lists no tools')
    listed += items.length
    if (listed > maxTools) throw new ServerFault(`lists more than ${maxTools} tools, which is the limit maxTools`)
    bytes += JSON.stringify(items).length
    if (bytes > mostBytes) throw new ServerFault(`lists tools of more than ${mostBytes} bytes`)
    await addTools(tools, items, parts)
    if (typeof nextCursor !== 'string' || nextCursor === cursor) return [...tools.values()]
    cursor = nextCursor
  }
  throw new ServerFault(`lists its tools on more than ${mostPages} pages`)
}

/** Of two with the same name the first is meant. */
const addTools = async (
  tools: Map<string, ListedTool>,
  items: readonly unknown[],
  { limits, logger, pacer }: ListingParts,
): Promise<void> => {
  let left = 0
  const large = new Map<string, string>()
  for (const item of items) {
    await pacer.pause()
    const problem = oversizeOf(item, limits)
    const tool = problem === undefined ? listedTool(item) : undefined
    if (tool && !tools.has(tool.name)) tools.set(tool.name, tool)
    else if (problem === undefined) left += 1
    else large.set(nameOf(item), problem)
  }
  if (left) logger.warn({ left }, 'tools with odd names, names of others, or no schema are left out')
  if (large.size)
    logger.warn(
      { left: large.size, tools: Object.fromEntries([...large].slice(0, mostTold)) },
      'tools that say more of themselves than a model is to read are left out',
    )
}

const nameOf = (item: unknown): string =>
  isRecord(item) && typeof item['name'] === 'string' ? cleanLine(item['name'], 128) : ''
