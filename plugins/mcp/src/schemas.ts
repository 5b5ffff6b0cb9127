/** Leaves out tools with invalid or too large schemas, for the kernel refuses requests with such tools as a whole. */

import { schemaText, SchemaSize } from '@sallyport/kit/schemas'
import type { SchemaChecker } from '@sallyport/kit/schemas'
import type { Call, Logger } from '@sallyport/core'
import { TimeLimit } from './client/time-limit.js'
import { ServerFault } from './fault.js'
import { cleanLine } from './text.js'
import type { ListedTool } from './tool.js'

/** Max tools that a line of the log names. */
export const maxLoggedTools = 20

/** Time limit in seconds for all schemas of a list. */
const inspectionSeconds = 60

interface SchemaContext {
  readonly schemas: SchemaChecker
  /** Whose schemas these are: inspections of several tenants take turns. */
  readonly tenant: string
  readonly logger: Logger
}

/** The tools with valid schemas; others are logged. @throws overloaded, not_ready, ServerFault; the signal's reason */
export const withValidSchemas = async (
  tools: readonly ListedTool[],
  { schemas, tenant, logger }: SchemaContext,
  signal: AbortSignal,
): Promise<readonly ListedTool[]> => {
  const limit = new TimeLimit(signal, inspectionSeconds, inspectionSeconds)
  const deadline = Date.now() + 1000 * inspectionSeconds
  try {
    return await validTools(tools, schemas, { signal: limit.signal, deadline, requestId: 'mcp', tenant }, logger)
  } catch (error) {
    signal.throwIfAborted()
    if (limit.exceeded === undefined) throw error
    throw new ServerFault('lists tools with schemas that take too long to look at', { cause: error })
  } finally {
    limit.end()
  }
}

const validTools = async (
  tools: readonly ListedTool[],
  checker: SchemaChecker,
  call: Call,
  log: Logger,
): Promise<ListedTool[]> => {
  const [valid, problems]: [ListedTool[], [string, string][]] = [[], []]
  for (const tool of tools) {
    const problem = await problemOf(tool.parameters, checker, call)
    if (problem === undefined) valid.push(tool)
    else problems.push([tool.name, problem])
  }
  if (problems.length)
    log.warn(
      { left: problems.length, tools: Object.fromEntries(problems.slice(0, maxLoggedTools)) },
      'tools with invalid schemas are left out',
    )
  return valid
}

const problemOf = async (schema: unknown, checker: SchemaChecker, call: Call): Promise<string | undefined> => {
  const found = await checker.problemOf('inspect', schemaText(schema), call)
  return found && cleanLine(`${['inputSchema', ...found.path].join('.')} ${found.problem}`, 500)
}

/** Cuts lists of tools to the size that a request may have. */
export class RequestShare {
  private lastWarning = ''

  constructor(private readonly logger: Logger) {}

  /** The first tools, as many as a request can carry. */
  firstThatFit(tools: readonly ListedTool[]): readonly ListedTool[] {
    const size = new SchemaSize()
    const kept = tools.findIndex(({ parameters }) => !fits(size, parameters))
    if (kept < 0) return tools
    this.warn(tools.slice(kept).map(({ name }) => name))
    return tools.slice(0, kept)
  }

  private warn(left: readonly string[]): void {
    const text = left.join(' ')
    if (text === this.lastWarning) return
    this.lastWarning = text
    this.logger.warn(
      { left: left.length, tools: left.slice(0, maxLoggedTools) },
      'the schemas of all tools together are more than a request can have: the last ones are left out; name those that are needed as allowedTools',
    )
  }
}

const fits = (size: SchemaSize, schema: unknown): boolean => {
  try {
    size.add('tools', schema)
    return true
  } catch {
    return false
  }
}
