/**
 * A pattern with the flag `u`, as JSON Schema requires it, or without it where it is valid only then: `\-` is common.
 */
export const patternOf = (text: string): RegExp | undefined => regExp(text, 'u') ?? regExp(text, '')

const regExp = (text: string, flags: string): RegExp | undefined => {
  try {
    return new RegExp(text, flags)
  } catch {
    return undefined
  }
}
