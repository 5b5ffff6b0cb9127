/** Translates the kernel's names of a request's fields to those in the body. */

import type { JsonObject } from '../schemas/schema.js'

/** Paths in the body by the kernel's paths, without positions: `messages[].toolCallId` → `messages[].tool_call_id`. */
export type FieldNames = Readonly<Record<string, string>>

/**
 * Translates the kernel's `path` to a path in the body. A field that neither the names nor the body have stays as it
 * is. A path into a value that the caller wrote in short (`"messages": "hi"`) becomes the path of that value.
 */
export const wirePath = (path: string, names: FieldNames, body: JsonObject): string => {
  const positions = path.match(/\[\d+\]/g) ?? []
  const segments = path.replace(/\[\d+\]/g, '[]').split(/(?=[.[])/)
  for (let end = segments.length; end > 0; end -= 1) {
    const prefix = segments.slice(0, end).join('')
    const template = Object.hasOwn(names, prefix) ? names[prefix] : undefined
    if (template === undefined) continue
    const filled = segments.slice(0, end).filter((segment) => segment === '[]').length
    const rest = fill(segments.slice(end).join(''), positions.slice(filled))
    return withoutShorthand(fill(template, positions) + rest, body)
  }
  return withoutShorthand(path, body)
}

const fill = (template: string, positions: readonly string[]): string => {
  let next = 0
  return template.replace(/\[\]/g, () => positions[next++] ?? '')
}

const withoutShorthand = (path: string, body: JsonObject): string => {
  let at: unknown = body
  let result = ''
  for (const segment of path.split(/(?=[.[])/)) {
    if (at !== undefined && (typeof at !== 'object' || at === null)) return result
    // One tool or prompt may be sent without a list around it.
    if (segment.startsWith('[') && !Array.isArray(at)) continue
    result += segment
    const key = segment.replace(/^\.|[[\]]/g, '')
    at = at !== undefined && Object.hasOwn(at, key) ? (at as JsonObject)[key] : undefined
  }
  return result
}
