import { isRecord, canonicalJson } from '@sallyport/kit/json'

export interface CallArguments {
  readonly value: Readonly<Record<string, unknown>>
  /** The same text for equal values, whatever the order of their members. */
  readonly canonical: string
}

/** The arguments of a call; no text is an empty object. Undefined for what is no JSON object, and nested too deeply. */
export const parseArguments = (text: string): CallArguments | undefined => {
  if (!text.trim()) return { value: {}, canonical: canonicalJson({}) }
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? { value, canonical: canonicalJson(value) } : undefined
  } catch {
    return undefined
  }
}
