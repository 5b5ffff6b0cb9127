/** Entity types by what gives them away. */

const names: readonly string[] = ['PERSON', 'LOCATION', 'ORGANIZATION']

/** Whether what is of the type is called something. */
export const isName = (type: string): boolean => names.includes(type)

/** Words, that have no form of their own. */
export const inWords: readonly string[] = [...names, 'NRP']

export const isInWords = (type: string): boolean => inWords.includes(type)
