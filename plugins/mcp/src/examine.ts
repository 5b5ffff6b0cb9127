/** Reports on the tool servers of a configuration for `sallyport check`. */

import { SchemaChecker } from '@sallyport/kit/schemas'
import { isSallyportError } from '@sallyport/core'
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
  const schemaChecker = new SchemaChecker()
  try {
    const entries = Object.entries(servers).map(([label, options]) => entryOf(label, options, schemaChecker, context))
    return { title: 'tool servers', entries: await Promise.all(entries) }
  } finally {
    await schemaChecker.stop()
  }
}

const entryOf = async (
  label: string,
  options: ServerOptions,
  schemaChecker: SchemaChecker,
  context: ExamineContext,
): Promise<OutsideEntry> => {
  const where = options.url === undefined ? (options.command ?? '') : new URL(options.url).origin
  try {
    const listed = await toolsOf(label, options, schemaChecker, context)
    const count = listed.length === 1 ? '1 tool' : `${listed.length} tools`
    return { text: `${label}: ${count} of ${where}`, lists: listsOf(listed, pinsOf(label, options, context), options) }
  } catch (error) {
    const isOurs = isSallyportError(error) && error.code === 'config_invalid'
    const warning = isOurs ? error.message : `it ${problemOf(error)}: its tools are missing until it answers`
    return { text: `${label}: ${where}`, warning }
  }
}

const toolsOf = async (
  label: string,
  options: ServerOptions,
  schemaChecker: SchemaChecker,
  { baseDirectory, logger: log }: ExamineContext,
): Promise<readonly ListedTool[]> => {
  const logger = log.child({ server: label })
  const { signal } = new AbortController()
  const transports = configuredTransports(label, options, baseDirectory, logger)()
  const connection = await openConnection({ transports, limits: options, logger, schemaChecker, tenant: label }, signal)
  try {
    return (await connection.tools(signal)).tools
  } finally {
    await connection.close()
  }
}

/** The approved hashes; undefined where all tools may be used, or will be approved at the first start. */
const pinsOf = (
  label: string,
  { pin, tools: toolHashes }: ServerOptions,
  { home }: ExamineContext,
): ToolHashes | undefined => {
  if (toolHashes) return new Map(Object.entries(toolHashes))
  return pin ? new PinFiles(home).approved(label) : undefined
}

const listsOf = (
  listed: readonly ListedTool[],
  pins: ToolHashes | undefined,
  { allowedTools, pin, tools: toolHashes }: ServerOptions,
): NonNullable<OutsideEntry['lists']> => {
  const { refused } = judgeBy(pins ?? new Map(listed.map(({ name, hash }) => [name, hash])), listed)
  const names = new Set(listed.map(({ name }) => name))
  const lists = {
    [toolHashes ? 'lacks the right hash in tools' : 'waits for approval']: [...refused].map(
      ([name, objection]) => `${name} (${objection})`,
    ),
    'allowed and listed': listed.flatMap(({ name }) => (allowedTools?.includes(name) ? [name] : [])),
    'allowed, but not listed': allowedTools?.filter((name) => !names.has(name)) ?? [],
    pinned: pins || toolHashes || !pin ? [] : ['none yet; all tools when the server first lists them'],
  }
  return Object.entries(lists).flatMap(([head, items]) => (items.length ? { head, items } : []))
}
