/** Applies `tool_choice`: which tools the model may call, and which it must call. */

import type { FunctionTool, ToolChoice } from '@sallyport/core'
import { ToolOffer } from '@sallyport/tool-loop'
import type { RemoteServer } from '@sallyport/tool-loop'
import { unknownTool } from '../tool-names.js'
import type { ResponseToolChoice } from './tool-schemas.js'
import { invalidField } from '../../invalid-field.js'

export interface OfferedTools {
  readonly offer: ToolOffer
  readonly toolChoice: ToolChoice | undefined
}

type ChoiceObject = Exclude<ResponseToolChoice, string>
type ChosenTool = NonNullable<ChoiceObject['tools']>[number]

/** @throws invalid_request where the choice needs an unknown tool */
export const toOffer = (
  choice: ResponseToolChoice | undefined,
  functions: readonly FunctionTool[],
  servers: readonly RemoteServer[],
): OfferedTools => {
  const offer = new ToolOffer(functions, servers)
  if (choice === undefined) return { offer, toolChoice: undefined }
  if (choice === 'none' || choice === 'auto') return { offer, toolChoice: offer.tools.length ? choice : undefined }
  // The kernel gets no choice where there is nothing to choose from.
  if (!offer.tools.length) throw invalidField('tool_choice', 'without "tools" must be "auto" or "none"')
  if (typeof choice === 'string') return { offer, toolChoice: 'required' }
  if (choice.type !== 'allowed_tools') return { offer, toolChoice: { names: namesOf(choice, offer, 'tool_choice') } }
  const allowed = allowedNames(choice, offer)
  return { offer: offer.restrictedTo(allowed), toolChoice: choice.mode === 'required' ? 'required' : 'auto' }
}

const allowedNames = ({ tools }: ChoiceObject, offer: ToolOffer): ReadonlySet<string> => {
  if (!tools)
    throw invalidField('tool_choice.tools', 'is required for "allowed_tools": give an array of tools {type, name, …}')
  return new Set(tools.flatMap((tool, index) => namesOf(tool, offer, `tool_choice.tools[${index}]`)))
}

/** Returns the names that the model sees for the chosen tools. */
const namesOf = (
  { type, name, server_label: label }: ChosenTool | ChoiceObject,
  offer: ToolOffer,
  path: string,
): string[] => (type === 'mcp' ? remoteNames(offer, path, label, name) : functionNames(offer, path, name))

const functionNames = ({ functions }: ToolOffer, path: string, name: string | undefined): string[] => {
  const names = functions.map((tool) => tool.name)
  if (name !== undefined && names.includes(name)) return [name]
  throw unknownTool(`${path}.name`, names)
}

const remoteNames = (offer: ToolOffer, path: string, label: string | undefined, name: string | undefined): string[] => {
  const names = label === undefined ? [] : offer.namesOf(label, name)
  if (names.length) return names
  throw invalidField(
    label === undefined || !offer.namesOf(label).length ? `${path}.server_label` : `${path}.name`,
    'must name one of the servers of "tools", or with "name" one of its tools that are allowed',
  )
}
