/** V8 copies shorter substrings; a longer one refers to the text that it was cut from and keeps all of it in memory. */
const longestCopied = 12

/** The same text as a copy, for what outlives the text that it was cut from. */
export const unshared = (text: string): string =>
  text.length <= longestCopied ? text : Buffer.from(text, 'utf16le').toString('utf16le')
