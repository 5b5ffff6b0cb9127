/** Entity types that consist of words. */

const names: readonly string[] = ['PERSON', 'LOCATION', 'ORGANIZATION']

export const isName = (type: string): boolean => names.includes(type)

/** Types whose findings are ordinary words, without a form of their own. */
export const wordEntities: readonly string[] = [...names, 'NRP']
