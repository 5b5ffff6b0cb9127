import { failure } from '@sallyport/core'
import type { FunctionTool, ToolChoice } from '@sallyport/core'
import { defined } from '../generation.js'

export interface ToolBody {
  type: 'function'
  function: { name: string; description?: string; parameters?: unknown; strict?: boolean }
}

export type ToolChoiceBody = 'none' | 'auto' | 'required' | 'any' | { type: 'function'; function: { name: string } }

/** Some clients send one tool as it is; an empty list is no tools. @throws invalid_request for equal names */
export const toTools = (tools: ToolBody | ToolBody[] | undefined): FunctionTool[] | undefined => {
  const list = Array.isArray(tools) ? tools : tools ? [tools] : []
  const names = new Set<string>()
  for (const [index, { function: declared }] of list.entries()) {
    if (names.has(declared.name))
      throw failure('invalid_request', {
        field: `tools[${index}].function.name`,
        problem: 'must differ from the names of the other tools',
      })
    names.add(declared.name)
  }
  return list.length ? list.map(toTool) : undefined
}

const toTool = ({ function: { name, description, parameters, strict } }: ToolBody): FunctionTool => ({
  name,
  ...defined({ description, parameters, strict }),
})

/** @throws invalid_request where the choice needs a tool that is not there */
export const toToolChoice = (
  choice: ToolChoiceBody | undefined,
  tools: readonly FunctionTool[] | undefined,
): ToolChoice | undefined => {
  if (choice === undefined) return undefined
  if (choice === 'none' || choice === 'auto') return tools && choice
  if (!tools)
    throw failure('invalid_request', { field: 'tool_choice', problem: 'needs "tools" beside it, or must be "auto"' })
  if (typeof choice === 'string') return 'required'
  const { name } = choice.function
  if (tools.some((tool) => tool.name === name)) return { names: [name] }
  throw failure('invalid_request', {
    field: 'tool_choice.function.name',
    problem: `must be the name of one of the tools: ${tools.map((tool) => tool.name).join(', ')}`,
  })
}
