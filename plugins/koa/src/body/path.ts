/** JSON paths as messages name them: `messages[0].content`. */

const longestKey = 64

export const joinPath = (path: string, step: string | number): string => {
  if (typeof step === 'number') return `${path}[${step}]`
  const key = step.length > longestKey ? `${step.slice(0, longestKey)}…` : step
  return path ? `${path}.${key}` : key
}

/** From a JSON pointer, as ajv gives them, into a value: steps into lists are written as such. */
export const pathOfPointer = (pointer: string, value: unknown): string => {
  let path = ''
  let at = value
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    path = joinPath(path, Array.isArray(at) ? Number(key) : key)
    at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined
  }
  return path
}
