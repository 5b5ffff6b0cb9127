/** For a regular expression that finds the text as it is. */
export const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&')
