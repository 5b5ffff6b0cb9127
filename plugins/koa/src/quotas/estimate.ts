/** What a request will need, before a model has counted it. */

/** Characters, and bytes in UTF-8, that a token has, about, in English with the usual vocabularies. */
export const charactersPerToken = 4

/** What an image takes of a context, about: models take 85 to 2,000 tokens. */
const imageTokens = 500

const imageFields = new Set(['image', 'image_url'])

/**
 * Estimates how many tokens a model will read of a value of a request's body: text by its bytes, ids of tokens by their
 * number, images by theirs.
 */
export const estimateTokens = (value: unknown): number => {
  if (typeof value === 'string')
    return value.startsWith('data:') ? imageTokens : Math.ceil(Buffer.byteLength(value) / charactersPerToken)
  if (typeof value === 'number') return 1
  if (typeof value !== 'object' || value === null) return 0
  let sum = 0
  if (Array.isArray(value)) for (const item of value) sum += estimateTokens(item)
  else for (const name of Object.keys(value)) sum += estimateMember(name, (value as Record<string, unknown>)[name])
  return sum
}

const estimateMember = (name: string, value: unknown): number =>
  imageFields.has(name) && value !== null ? imageTokens : estimateTokens(value)

/** The fields of bodies that models read. */
const promptFields = ['messages', 'prompt', 'input', 'instructions', 'tools', 'query', 'documents', 'suffix']

export const estimatePrompt = (body: Readonly<Record<string, unknown>>): number => {
  let sum = 0
  for (const name of promptFields) sum += estimateTokens(body[name])
  return sum
}

/** The most tokens of one answer that the body asks for; undefined where it does not say. */
export const askedTokens = (body: Readonly<Record<string, unknown>>): number | undefined =>
  [body['max_completion_tokens'], body['max_tokens'], body['max_output_tokens']].find(isNumber)

/** How many answers the body asks for. */
export const askedAnswers = ({ n, prompt }: Readonly<Record<string, unknown>>): number =>
  (isNumber(n) ? n : 1) * (Array.isArray(prompt) ? prompt.length : 1)

const isNumber = (value: unknown): value is number => typeof value === 'number'
