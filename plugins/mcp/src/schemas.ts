/** Which tools a request can carry: the kernel refuses the whole of one that offers a tool with a bad schema. */

import { schemaText, SchemaSize } from '@sallyport/kit/schemas'
import type { SchemaChecker } from '@sallyport/kit/schemas'
import type { Call, Logger } from '@sallyport/core'
import { TimeLimit } from './client/time-limit.js'
import { ServerFault } from './fault.js'
import { cleanLine } from './text.js'
import type { ListedTool } from './tool.js'

/** Tools of which the log says why they are left out. */
export const maxNamed = 20

/** Seconds for all schemas of a list. */
const inspectionTime = 60

interface Inspector {
  readonly schemas: SchemaChecker
  /** For whom schemas are looked at, in turns with those of others. */
  readonly tenant: string
  readonly logger: Logger
}

/** Without those that no request could carry. @throws overloaded, not_ready, ServerFault; the signal's reason */
export const withValidSchemas = async (
  tools: readonly ListedTool[],
  { schemas, tenant, logger }: Inspector,
  signal: AbortSignal,
): Promise<readonly ListedTool[]> => {
  const limit = new TimeLimit(signal, inspectionTime, inspectionTime)
  const deadline = Date.now() + 1000 * inspectionTime
  try {
    return await inspected(tools, schemas, { signal: limit.signal, deadline, requestId: 'mcp', tenant }, logger)
  } catch (error) {
    signal.throwIfAborted()
    if (limit.exceeded === undefined) throw error
    throw new ServerFault('lists tools with schemas that take too long to look at', { cause: error })
  } finally {
    limit.end()
  }
}

const inspected = async (
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
      { left: problems.length, tools: Object.fromEntries(problems.slice(0, maxNamed)) },
      'tools with schemas that the model cannot be told are left out',
    )
  return valid
}

const problemOf = async (schema: unknown, checker: SchemaChecker, call: Call): Promise<string | undefined> => {
  const found = await checker.problemOf('inspect', schemaText(schema), call)
  return found && cleanLine(`${['inputSchema', ...found.path].join('.')} ${found.problem}`, 500)
}

/** A server may list more than a request can carry. */
export class RequestShare {
  private lastWarning = ''

  constructor(private readonly logger: Logger) {}

  /** The first tools, as many as a request can carry. */
  of(tools: readonly ListedTool[]): readonly ListedTool[] {
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
      { left: left.length, tools: left.slice(0, maxNamed) },
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
