import { append } from '@sallyport/kit/lists'
import { isRecord } from '@sallyport/kit/json'
import type { Limits } from './options.js'

/** Of the schema and annotations of one tool. UTF-16 units of names and texts. */
const mostCharacters = 50_000
const mostValues = 2000

/** Why a tool, as its server lists it, says more of itself than a model is to read; undefined where it does not. */
export const oversizeOf = (tool: unknown, { maxDescription }: Pick<Limits, 'maxDescription'>): string | undefined => {
  if (!isRecord(tool)) return undefined
  const { description, inputSchema, annotations } = tool
  if (typeof description === 'string' && description.length > maxDescription)
    return `description has ${description.length} characters, more than the ${maxDescription} of maxDescription`
  const large = isTooLarge(inputSchema) ? 'inputSchema' : isTooLarge(annotations) ? 'annotations' : undefined
  return large && `${large} has more than ${mostCharacters} characters, or ${mostValues} values`
}

const isTooLarge = (value: unknown): boolean => {
  let [values, characters] = [0, 0]
  const open: unknown[] = [value]
  while (open.length && values <= mostValues && characters <= mostCharacters) {
    const next = open.pop()
    values += 1
    if (typeof next === 'string') characters += next.length
    if (typeof next !== 'object' || next === null) continue
    append(open, Object.keys(next))
    append(open, Object.values(next) as unknown[])
  }
  return values > mostValues || characters > mostCharacters
}
