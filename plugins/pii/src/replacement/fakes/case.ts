/** A text in capitals, without any, or as it is, like the original. */
export const inCaseOf = (original: string, text: string): string => {
  const [hasUpper, hasLower] = [/\p{Lu}/u.test(original), /\p{Ll}/u.test(original)]
  if (hasUpper && !hasLower && original.length > 1) return text.toUpperCase()
  return hasLower && !hasUpper ? text.toLowerCase() : text
}
