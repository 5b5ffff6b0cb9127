/** Headers by which uploads ask for checks of what comes out. */

const header = (name: string, description: string, schema: object) => ({ name, in: 'header', description, schema })

export const safeguardParameters = [
  header('Toxicity', 'whether toxic text is looked for', { type: 'boolean' }),
  header('Injection', 'whether instructions to a model are looked for', { type: 'boolean' }),
  header('Pii', 'what is done about personal information', { type: 'string', enum: ['block', 'replace'] }),
  header('Replace-Method', 'how it is replaced', { type: 'string', enum: ['random', 'fake', 'category', 'mask'] }),
  header('Entity-List', 'entity types that are not looked for: a JSON array, or between commas', {
    type: 'string',
    examples: ['["PERSON", "URL"]'],
  }),
] as const
