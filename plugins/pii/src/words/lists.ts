/** The words of lists as the data files have them, with `|` between them. */
export const wordsOf = (...lists: readonly string[]): string[] => lists.flatMap((list) => list.split('|'))
