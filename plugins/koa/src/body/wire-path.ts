/** Translates the kernel's names of a request's fields to those in the body. */

import type { JsonObject } from '../schemas/schema.js'

/** Paths in the body by the kernel's paths, without positions: `messages[].toolCallId` → `messages[].tool_call_id`. */
export type FieldNames = Readonly<Record<string, string>>

/**
 * Translates the kernel's `path` to a path in the body. A field that neither the names nor the body have stays as it is.
 * A path into a value that the caller wrote in short (`"messages": "hi"`) becomes the path of that value.
 */
export const wirePath = (path: string, names: FieldNames, body: JsonObject): string => {
  const positions = path.match(/\[\d+\]/g) ?? []
  const steps = path.replace(/\[\d+\]/g, '[]').split(/(?=[.[])/)
  for (let end = steps.length; end > 0; end -= 1) {
    const named = steps.slice(0, end).join('')
    const known = Object.hasOwn(names, named) ? names[named] : undefined
    if (known === undefined) continue
    const taken = steps.slice(0, end).filter((step) => step === '[]').length
    const rest = fill(steps.slice(end).join(''), positions.slice(taken))
    return withoutShorthand(fill(known, positions) + rest, body)
  }
  return withoutShorthand(path, body)
}

const fill = (template: string, positions: readonly string[]): string => {
  let next = 0
  return template.replace(/\[\]/g, () => positions[next++] ?? '')
}

const withoutShorthand = (path: string, body: JsonObject): string => {
  let at: unknown = body
  let written = ''
  for (const step of path.split(/(?=[.[])/)) {
    if (at !== undefined && (typeof at !== 'object' || at === null)) return written
    // One tool, or one prompt, may stand for a list of one.
    if (step.startsWith('[') && !Array.isArray(at)) continue
    written += step
    const key = step.replace(/^\.|[[\]]/g, '')
    at = at !== undefined && Object.hasOwn(at, key) ? (at as JsonObject)[key] : undefined
  }
  return written
}
