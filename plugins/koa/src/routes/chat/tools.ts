import type { FunctionTool, ToolChoice } from '@sallyport/core'
import { isRecord } from '@sallyport/kit/json'
import type { toolChoice as toolChoiceSchema, tools as toolsSchema } from '../../schemas/messages.js'
import type { BodyOf } from '../../schemas/schema.js'
import { omitUndefined } from '../generation.js'
import { unknownTool } from '../tool-names.js'
import { invalidField } from '../../invalid-field.js'

type ChatTools = BodyOf<typeof toolsSchema>
type ChatToolBody = Exclude<ChatTools, unknown[]>
type ChatToolChoice = BodyOf<typeof toolChoiceSchema>

/** `allowed_tools` as OpenAI's SDKs send it: all tools stay declared, and some of them may be called. */
type ToolChoiceObject = Exclude<ChatToolChoice, string>

/** Some clients send one tool as it is; an empty list is no tools. */
export const toTools = (tools: ChatTools | undefined): FunctionTool[] | undefined => {
  const list = Array.isArray(tools) ? tools : tools ? [tools] : []
  return list.length ? list.map(toTool) : undefined
}

const toTool = ({ function: { name, description, parameters, strict } }: ChatToolBody): FunctionTool => ({
  name,
  ...omitUndefined({ description, parameters, strict }),
})

/** In the kernel, names mean that one of them must be called. @throws invalid_request */
export const toToolChoice = (
  choice: ChatToolChoice | undefined,
  tools: readonly FunctionTool[] | undefined,
): ToolChoice | undefined => {
  if (choice === 'none' || choice === 'auto') return tools && choice
  if (choice === undefined) return undefined
  // The others are "required" and "any".
  if (typeof choice === 'string') return 'required'
  return onlyRestrictsTools(choice) ? tools && 'auto' : { names: namesOf(choice) }
}

/** Whether the choice restricts the offered tools without forcing a call. */
const onlyRestrictsTools = ({ type, allowed_tools: allowed }: ToolChoiceObject): boolean =>
  type === 'allowed_tools' && allowed?.mode === 'auto'

const namesOf = ({ type, function: one, allowed_tools: several }: ToolChoiceObject): string[] => {
  if (type === 'function') return [required(one, 'function', 'an object {name}').name]
  return required(several, 'allowed_tools', 'an object {mode, tools}').tools.map(({ function: { name } }) => name)
}

const required = <Value>(value: Value | undefined, name: string, allowed: string): Value => {
  if (value !== undefined) return value
  throw invalidField(`tool_choice.${name}`, `is required: give ${allowed}`)
}

/**
 * The positions of the tools to offer; undefined where `tool_choice` does not restrict them.
 * @throws invalid_request for an unknown name
 */
export const allowedToolPositions = (
  choice: ChatToolChoice | undefined,
  tools: readonly FunctionTool[] = [],
): readonly number[] | undefined => {
  if (typeof choice !== 'object' || !onlyRestrictsTools(choice)) return undefined
  const names = namesOf(choice)
  const known = tools.map(({ name }) => name)
  const missing = names.findIndex((name) => !known.includes(name))
  if (missing >= 0) throw unknownTool(allowedNamesField.replace('[]', `[${missing}]`), known)
  return [...known.keys()].filter((at) => names.includes(known[at] ?? ''))
}

const allowedNamesField = 'tool_choice.allowed_tools.tools[].function.name'

/** The field from which {@link toToolChoice} takes names. */
export const namesField = (choice: unknown): string =>
  isRecord(choice) && choice['type'] === 'allowed_tools' ? allowedNamesField : 'tool_choice.function.name'
