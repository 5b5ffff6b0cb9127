/** Headers by which uploads ask for checks of what comes out. */

import { replaceMethods, shownHeader, spellings } from '../specification/spellings.js'

const header = (name: string, description: string, schema: object) => ({
  ...{ name: shownHeader(name), in: 'header', description, schema },
})

export const safeguardParameters = spellings.flatMap(({ check, header: name, replacing }) => {
  if (name === undefined) return []
  if (!replacing) return [header(name, `whether ${check} is looked for`, { type: 'boolean' })]
  const { method, ignore } = replacing
  return [
    header(name, 'what is done about what is found', { type: 'string', enum: ['block', 'replace'] }),
    header(method.header ?? '', 'how it is replaced', { type: 'string', enum: replaceMethods }),
    header(ignore.header ?? '', 'entity types that are not looked for: a JSON array, or between commas', {
      type: 'string',
      examples: ['["PERSON", "URL"]'],
    }),
  ]
})
