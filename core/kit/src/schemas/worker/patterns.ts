/** Patterns with the flag `u`, as JSON Schema has them, or without it where they are none with it: `\-` is common. */
export const patternOf = (text: string): RegExp | undefined => regExp(text, 'u') ?? regExp(text, '')

const regExp = (text: string, flags: string): RegExp | undefined => {
  try {
    return new RegExp(text, flags)
  } catch {
    return undefined
  }
}
