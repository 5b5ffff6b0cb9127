import { isRecord } from './data.js'

/**
 * The same string for equal values, whatever the order of their members: the form of RFC 8785. Members that are
 * undefined are left out.
 * @throws RangeError for what nests too deep for the stack
 */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (!isRecord(value)) return JSON.stringify(value)
  const keys = Object.keys(value).filter((key) => value[key] !== undefined)
  return `{${keys
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`)
    .join(',')}}`
}
