/** Puts characters, one by one, where a global pattern matches one in a string. */
export const fill = (original: string, pattern: RegExp, characters: string): string => {
  let next = 0
  return original.replaceAll(pattern, () => characters[next++] ?? '')
}
