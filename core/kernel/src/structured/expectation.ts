/** Derives from a chat request what its answer must be: text by a schema, certain tool calls. */

import { Pacer } from '@sallyport/kit/async'
import { failure } from '@sallyport/core'
import type { Call, ChatRequest, FunctionTool } from '@sallyport/core'
import { showPath } from '@sallyport/kit/json'
import { schemaText, SchemaSize } from '@sallyport/kit/schemas'
import type { SchemaChecker, SchemaText } from '@sallyport/kit/schemas'

/** A schema that a text must be valid against, and the request's field that asks for it. */
export interface SchemaConstraint extends SchemaText {
  readonly field: string
}

export interface Expectation {
  /** The schema of the text; absent where any text is allowed. */
  readonly textConstraint?: SchemaConstraint
  /** The tools that may be called, by name, with the schema of the arguments where these are validated. */
  readonly tools: ReadonlyMap<string, SchemaConstraint | undefined>
  readonly mustCall: boolean
  readonly maxCalls: number
}

/**
 * Validates the schemas and tools of a request, and returns what its answer must be.
 * @throws invalid_request with the field; overloaded, not_ready, the signal's reason
 */
export const expectationOf = async (request: ChatRequest, checker: SchemaChecker, call: Call): Promise<Expectation> => {
  const { tools = [], toolChoice = 'auto', parallelToolCalls = true } = request
  refuseDuplicateNames(tools)
  refuseMissingTools(tools, toolChoice)
  const builder = new ConstraintBuilder(checker, call)
  const constraints = new Map<string, SchemaConstraint | undefined>()
  for (const [index, tool] of tools.entries()) constraints.set(tool.name, await builder.forTool(tool, index))
  const textConstraint = await builder.forText(request.responseFormat)
  const named = typeof toolChoice === 'object' ? new Set(toolChoice.names) : undefined
  return {
    ...(textConstraint && { textConstraint }),
    tools: new Map([...constraints].filter(([name]) => toolChoice !== 'none' && (named?.has(name) ?? true))),
    mustCall: named !== undefined || toolChoice === 'required',
    maxCalls: parallelToolCalls ? Infinity : 1,
  }
}

const anyObject = { type: 'object' }

class ConstraintBuilder {
  private readonly size = new SchemaSize()
  private readonly pacer: Pacer

  constructor(
    private readonly checker: SchemaChecker,
    private readonly call: Call,
  ) {
    this.pacer = new Pacer(call)
  }

  /** The constraint of a strict tool; arguments of other tools are not validated. */
  async forTool({ parameters, strict = false }: FunctionTool, index: number): Promise<SchemaConstraint | undefined> {
    const field = `tools[${index}].parameters`
    if (parameters === undefined) return strict ? this.constrain('compile', field, anyObject) : undefined
    const constraint = await this.constrain(strict ? 'compile' : 'inspect', field, parameters)
    return strict ? constraint : undefined
  }

  async forText(format: ChatRequest['responseFormat']): Promise<SchemaConstraint | undefined> {
    if (!format || format.type === 'text') return undefined
    return format.type === 'json_object'
      ? this.constrain('compile', 'responseFormat', anyObject)
      : this.constrain('compile', 'responseFormat.schema', format.schema)
  }

  private async constrain(kind: 'inspect' | 'compile', field: string, schema: unknown): Promise<SchemaConstraint> {
    await this.pacer.pause()
    this.size.add(field, schema)
    if (typeof schema !== 'object' && typeof schema !== 'boolean')
      throw failure('invalid_request', { field, problem: 'must be a JSON Schema: an object, or true or false' })
    const text = schemaText(schema)
    const found = await this.checker.problemOf(kind, text, this.call)
    if (found) throw failure('invalid_request', { field: fieldAt(field, found.path), problem: found.problem })
    return { ...text, field }
  }
}

const fieldAt = (field: string, path: readonly (string | number)[]): string => {
  const inside = showPath(path)
  return inside && !inside.startsWith('[') ? `${field}.${inside}` : field + inside
}

const refuseDuplicateNames = (tools: readonly FunctionTool[]): void => {
  const names = new Set<string>()
  for (const [index, { name }] of tools.entries()) {
    if (names.has(name))
      throw failure('invalid_request', {
        field: `tools[${index}].name`,
        problem: 'must differ from the names of the other tools',
      })
    names.add(name)
  }
}

const refuseMissingTools = (tools: readonly FunctionTool[], choice: NonNullable<ChatRequest['toolChoice']>): void => {
  if (choice === 'auto' || choice === 'none') return
  if (!tools.length)
    throw failure('invalid_request', { field: 'toolChoice', problem: 'without "tools" must be "auto" or "none"' })
  if (choice === 'required') return
  if (!choice.names.length)
    throw failure('invalid_request', { field: 'toolChoice.names', problem: 'must have the name of a tool' })
  const missing = choice.names.findIndex((name) => !tools.some((tool) => tool.name === name))
  if (missing >= 0)
    throw failure('invalid_request', {
      field: `toolChoice.names[${missing}]`,
      problem: `must be the name of one of the tools: ${tools.map(({ name }) => name).join(', ')}`,
    })
}
