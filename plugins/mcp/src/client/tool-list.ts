/** Reads the list of a server's tools, page by page. */

import type { Logger } from '@sallyport/core'
import type { Pacer } from '@sallyport/kit/async'
import { isRecord } from '@sallyport/kit/json'
import { append } from '@sallyport/kit/lists'
import { ServerFault } from '../fault.js'
import type { Limits } from '../options.js'
import { maxLoggedTools } from '../schemas.js'
import { cleanLine } from '../text.js'
import { listedTool } from '../tool.js'
import type { ListedTool } from '../tool.js'

const maxPages = 100
/** The maximum length of the JSON of all tools, in UTF-16 code units. */
const maxListLength = 4 * 1024 * 1024

type Page = Readonly<Record<string, unknown>>

export interface ListingParts {
  readonly limits: Pick<Limits, 'maxTools' | 'maxDescription'>
  readonly logger: Logger
  /** Yields to other work between tools. */
  readonly pacer: Pacer
}

/**
 * @param ask requests the page at a cursor
 * @throws ServerFault for a malformed or too long list; any error of `ask`; the reason of the pacer's signal
 */
export const listTools = async (
  ask: (cursor?: string) => Promise<Page>,
  parts: ListingParts,
): Promise<readonly ListedTool[]> => {
  const { maxTools } = parts.limits
  const tools = new Map<string, ListedTool>()
  let [listed, length] = [0, 0]
  let cursor: string | undefined
  for (let page = 0; page < maxPages; page += 1) {
    const { tools: items, nextCursor } = await ask(cursor)
    if (!Array.isArray(items)) throw new ServerFault('sent no list of tools in its result')
    listed += items.length
    if (listed > maxTools) throw new ServerFault(`lists more than ${maxTools} tools, which is the limit maxTools`)
    length += JSON.stringify(items).length
    if (length > maxListLength) throw new ServerFault(`lists tools of more than ${maxListLength} UTF-16 code units`)
    await addTools(tools, items, parts)
    if (typeof nextCursor !== 'string' || nextCursor === cursor) return [...tools.values()]
    cursor = nextCursor
  }
  throw new ServerFault(`lists its tools on more than ${maxPages} pages`)
}

/** Adds valid tools; of several with the same name, the first one wins. */
const addTools = async (
  tools: Map<string, ListedTool>,
  items: readonly unknown[],
  { limits, logger, pacer }: ListingParts,
): Promise<void> => {
  let omitted = 0
  const large = new Map<string, string>()
  for (const item of items) {
    await pacer.pause()
    const problem = sizeProblem(item, limits)
    const tool = problem === undefined ? listedTool(item) : undefined
    if (tool && !tools.has(tool.name)) tools.set(tool.name, tool)
    else if (problem === undefined) omitted += 1
    else large.set(nameOf(item), problem)
  }
  if (omitted)
    logger.warn(
      { omitted },
      'tools with an invalid or duplicate name, an invalid schema or invalid annotations are left out',
    )
  if (large.size)
    logger.warn(
      { omitted: large.size, tools: Object.fromEntries([...large].slice(0, maxLoggedTools)) },
      'tools with too large a description, schema or annotations are left out',
    )
}

const nameOf = (item: unknown): string =>
  isRecord(item) && typeof item['name'] === 'string' ? cleanLine(item['name'], 128) : ''

/** The maximum number of UTF-16 code units in the keys and strings of a schema, and in those of annotations. */
const maxCharacters = 50_000
/** The maximum number of keys and values in each of them. */
const maxKeysAndValues = 2000

/** Why a tool's description, schema or annotations are too large for a model; undefined where they are not. */
const sizeProblem = (tool: unknown, { maxDescription }: Pick<Limits, 'maxDescription'>): string | undefined => {
  if (!isRecord(tool)) return undefined
  const { description, inputSchema, annotations } = tool
  if (typeof description === 'string' && description.length > maxDescription)
    return `description has ${description.length} characters, more than the ${maxDescription} of maxDescription`
  const large = isTooLarge(inputSchema) ? 'inputSchema' : isTooLarge(annotations) ? 'annotations' : undefined
  return large && `${large} has more than ${maxCharacters} characters, or ${maxKeysAndValues} keys and values`
}

const isTooLarge = (value: unknown): boolean => {
  let [count, characters] = [0, 0]
  const open: unknown[] = [value]
  while (open.length && count <= maxKeysAndValues && characters <= maxCharacters) {
    const next = open.pop()
    count += 1
    if (typeof next === 'string') characters += next.length
    if (typeof next !== 'object' || next === null) continue
    if (!Array.isArray(next)) append(open, Object.keys(next))
    append(open, Object.values(next) as unknown[])
  }
  return count > maxKeysAndValues || characters > maxCharacters
}
