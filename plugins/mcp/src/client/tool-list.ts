/** The list of a server's tools, page by page. */

import type { Logger } from '@sallyport/core'
import type { Pacer } from '@sallyport/kit/async'
import { isRecord } from '@sallyport/kit/json'
import { append } from '@sallyport/kit/lists'
import { ServerFault } from '../fault.js'
import type { Limits } from '../options.js'
import { maxNamed } from '../schemas.js'
import { cleanLine } from '../text.js'
import { listedTool } from '../tool.js'
import type { ListedTool } from '../tool.js'

const maxPages = 100
/** Bytes of JSON of all tools. */
const maxListBytes = 4 * 1024 * 1024

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
  for (let page = 0; page < maxPages; page += 1) {
    const { tools: items, nextCursor } = await ask(cursor)
    if (!Array.isArray(items)) throw new ServerFault('lists no tools')
    listed += items.length
    if (listed > maxTools) throw new ServerFault(`lists more than ${maxTools} tools, which is the limit maxTools`)
    bytes += JSON.stringify(items).length
    if (bytes > maxListBytes) throw new ServerFault(`lists tools of more than ${maxListBytes} bytes`)
    await addTools(tools, items, parts)
    if (typeof nextCursor !== 'string' || nextCursor === cursor) return [...tools.values()]
    cursor = nextCursor
  }
  throw new ServerFault(`lists its tools on more than ${maxPages} pages`)
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
      { left: large.size, tools: Object.fromEntries([...large].slice(0, maxNamed)) },
      'tools that say more of themselves than a model is to read are left out',
    )
}

const nameOf = (item: unknown): string =>
  isRecord(item) && typeof item['name'] === 'string' ? cleanLine(item['name'], 128) : ''

/** Of the schema and annotations of one tool. UTF-16 units of names and texts. */
const maxCharacters = 50_000
const maxValues = 2000

/** Why a tool, as its server lists it, says more of itself than a model is to read; undefined where it does not. */
const oversizeOf = (tool: unknown, { maxDescription }: Pick<Limits, 'maxDescription'>): string | undefined => {
  if (!isRecord(tool)) return undefined
  const { description, inputSchema, annotations } = tool
  if (typeof description === 'string' && description.length > maxDescription)
    return `description has ${description.length} characters, more than the ${maxDescription} of maxDescription`
  const large = isTooLarge(inputSchema) ? 'inputSchema' : isTooLarge(annotations) ? 'annotations' : undefined
  return large && `${large} has more than ${maxCharacters} characters, or ${maxValues} values`
}

const isTooLarge = (value: unknown): boolean => {
  let [values, characters] = [0, 0]
  const open: unknown[] = [value]
  while (open.length && values <= maxValues && characters <= maxCharacters) {
    const next = open.pop()
    values += 1
    if (typeof next === 'string') characters += next.length
    if (typeof next !== 'object' || next === null) continue
    append(open, Object.keys(next))
    append(open, Object.values(next) as unknown[])
  }
  return values > maxValues || characters > maxCharacters
}
