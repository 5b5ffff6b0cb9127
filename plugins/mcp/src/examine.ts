/** Reports on the tool servers of a configuration for `sallyport check`. */

import { SchemaChecker } from '@sallyport/kit/schemas'
import type { ExamineContext, OutsideEntry, OutsideReport } from '@sallyport/core'
import { openConnection } from './client/open.js'
import { problemOf } from './fault.js'
import type { McpOptions, ServerOptions } from './options.js'
import { judgeBy } from './pins/approval.js'
import type { ToolHashes } from './pins/approval.js'
import { PinFiles } from './pins/pin-files.js'
import type { ListedTool } from './tool.js'
import { configuredTransports } from './transports.js'

/** Starts or reaches each server, lists its tools, and ends the connection; approves nothing. */
export const examineServers = async (
  { servers }: McpOptions,
  context: ExamineContext,
): Promise<OutsideReport | undefined> => {
  if (!Object.keys(servers).length) return undefined
  const schemas = new SchemaChecker()
  try {
    const entries = Object.entries(servers).map(([label, options]) => entryOf(label, options, schemas, context))
    return { title: 'tool servers', entries: await Promise.all(entries) }
  } finally {
    await schemas.stop()
  }
}

const entryOf = async (
  label: string,
  options: ServerOptions,
  schemas: SchemaChecker,
  context: ExamineContext,
): Promise<OutsideEntry> => {
  const where = options.url === undefined ? (options.command ?? '') : new URL(options.url).origin
  try {
    const listed = await toolsOf(label, options, schemas, context)
    const pins = pinsOf(label, options, context)
    const count = listed.length === 1 ? '1 tool' : `${listed.length} tools`
    return { text: `${label}: ${count} of ${where}`, lists: listsOf(listed, pins, options) }
  } catch (error) {
    const warning = `it ${problemOf(error)}: its tools are missing until it answers`
    return { text: `${label}: ${where}`, warning }
  }
}

/** Lists a server's tools; connecting and listing may each take the server's `connectTimeout`. */
const toolsOf = async (
  label: string,
  options: ServerOptions,
  schemas: SchemaChecker,
  { baseDirectory, logger: log }: ExamineContext,
): Promise<readonly ListedTool[]> => {
  const logger = log.child({ server: label })
  const { signal } = new AbortController()
  const transports = configuredTransports(label, options, baseDirectory, logger)()
  const connection = await openConnection({ transports, limits: options, logger, schemas, tenant: label }, signal)
  try {
    return (await connection.tools(signal)).tools
  } finally {
    await connection.close()
  }
}

/** The approved hashes; undefined where all tools may be used, or will be approved at the first start. */
const pinsOf = (label: string, { pin, tools }: ServerOptions, { home }: ExamineContext): ToolHashes | undefined => {
  if (tools) return new Map(Object.entries(tools))
  return pin ? new PinFiles(home).approved(label) : undefined
}

const listsOf = (
  listed: readonly ListedTool[],
  pins: ToolHashes | undefined,
  { allowedTools, pin, tools }: ServerOptions,
): NonNullable<OutsideEntry['lists']> => {
  const { refused } = judgeBy(pins ?? new Map(listed.map(({ name, hash }) => [name, hash])), listed)
  const names = new Set(listed.map(({ name }) => name))
  const lists = {
    'waits for approval': [...refused].map(([name, objection]) => `${name} (${objection})`),
    'offers only': listed.flatMap(({ name }) => (allowedTools?.includes(name) ? [name] : [])),
    'allowed, but not listed': allowedTools?.filter((name) => !names.has(name)) ?? [],
    pinned: pins || tools || !pin ? [] : ['none yet; all tools when the server first lists them'],
  }
  return Object.entries(lists).flatMap(([head, items]) => (items.length ? { head, items } : []))
}
