/** Leaves out tools with invalid or too large schemas, because the kernel refuses whole requests with such tools. */

import { TimeLimit } from '@sallyport/kit/async'
import { schemaText, SchemaSize } from '@sallyport/kit/schemas'
import type { SchemaChecker } from '@sallyport/kit/schemas'
import type { Call, Logger } from '@sallyport/core'
import { ServerFault } from './fault.js'
import { cleanLine } from './text.js'
import type { ListedTool } from './tool.js'

/** The maximum number of tools that a line of the log names. */
export const maxLoggedTools = 20

/** The time limit for all schemas of a list. */
const validationSeconds = 60

interface SchemaContext {
  readonly schemaChecker: SchemaChecker
  /** The tenant, or the label of a configured server; the schemas of several are validated in turns. */
  readonly tenant: string
  readonly logger: Logger
}

/** The tools with valid schemas; others are logged. @throws overloaded, not_ready, ServerFault; the signal's reason */
export const withValidSchemas = async (
  tools: readonly ListedTool[],
  { schemaChecker, tenant, logger }: SchemaContext,
  signal: AbortSignal,
): Promise<readonly ListedTool[]> => {
  const limit = new TimeLimit(signal, {
    total: validationSeconds * 1000,
    reason: () => new Error('the time for schemas is over'),
  })
  const deadline = Date.now() + 1000 * validationSeconds
  try {
    return await validTools(tools, schemaChecker, { signal: limit.signal, deadline, requestId: 'mcp', tenant }, logger)
  } catch (error) {
    signal.throwIfAborted()
    if (limit.exceeded === undefined) throw error
    throw new ServerFault('lists tools with schemas that take too long to validate', { cause: error })
  } finally {
    limit.end()
  }
}

const validTools = async (
  tools: readonly ListedTool[],
  schemaChecker: SchemaChecker,
  call: Call,
  log: Logger,
): Promise<ListedTool[]> => {
  const [valid, problems]: [ListedTool[], [string, string][]] = [[], []]
  for (const tool of tools) {
    const problem = await schemaProblem(tool.parameters, schemaChecker, call)
    if (problem === undefined) valid.push(tool)
    else problems.push([tool.name, problem])
  }
  if (problems.length)
    log.warn(
      { omitted: problems.length, tools: Object.fromEntries(problems.slice(0, maxLoggedTools)) },
      'tools with invalid schemas are left out',
    )
  return valid
}

const schemaProblem = async (schema: unknown, checker: SchemaChecker, call: Call): Promise<string | undefined> => {
  const found = await checker.problemOf('inspect', schemaText(schema), call)
  return found && cleanLine(`${['inputSchema', ...found.path].join('.')} ${found.problem}`, 500)
}

/** Cuts lists of tools to the size that a request may have. */
export class SchemaSizeLimit {
  private lastWarning = ''

  /** @param advice ends the warning */
  constructor(private readonly advice = '') {}

  /** The first tools, up to the one with which their schemas exceed the size that a request may have. */
  leadingThatFit(tools: readonly ListedTool[], logger: Logger): readonly ListedTool[] {
    const size = new SchemaSize()
    const firstOmitted = tools.findIndex(({ parameters }) => !fits(size, parameters))
    if (firstOmitted < 0) return tools
    this.warn(
      tools.slice(firstOmitted).map(({ name }) => name),
      logger,
    )
    return tools.slice(0, firstOmitted)
  }

  private warn(omitted: readonly string[], logger: Logger): void {
    const names = omitted.join(' ')
    if (names === this.lastWarning) return
    this.lastWarning = names
    logger.warn(
      { omitted: omitted.length, tools: omitted.slice(0, maxLoggedTools) },
      `the schemas of this server's tools together exceed the size that a request may have: the last tools are left out${this.advice}`,
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
