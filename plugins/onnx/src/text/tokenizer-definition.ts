import { randomUUID } from 'node:crypto'
import { failure } from '@sallyport/core'
import { isRecord } from '@sallyport/kit/json'
import { list, templatesOf } from './token-template.js'
import type { TokenTemplates } from './token-template.js'

/** The content of a tokenizer.json, read without the library, so that `check` can do so in the kernel's process. */
export interface TokenizerDefinition {
  /** The model's id, for messages. */
  readonly model: string
  /** The definition for the library, without truncation, padding and special tokens. */
  readonly json: () => string
  /** The tokens by id; '' for special tokens, U+FFFD for the unknown token. */
  readonly vocabulary: readonly (string | undefined)[]
  readonly padId: number
  /** The id of the unknown token; absent where every character has tokens. */
  readonly unknownId: number | undefined
  /** Special tokens around one text, and around two. */
  readonly templates: TokenTemplates
  /** The id of a token; undefined where there is none. */
  readonly idOf: (token: string) => number | undefined
}

/** A token that was added to the vocabulary. */
interface AddedToken extends Readonly<Record<string, unknown>> {
  readonly id: number
  readonly content: string
}

type Json = Readonly<Record<string, unknown>>

/**
 * Reads a parsed tokenizer.json. Its own truncation and padding are not the model's, and are left out.
 * @param padToken the spelling of the padding token, where it is known
 * @throws model_invalid
 */
export const readDefinition = (model: string, definition: unknown, padToken?: string): TokenizerDefinition =>
  refuseInvalid(model, () => ({ model, ...read(definition, padToken) }))

/** Turns every error into model_invalid. The original is only the cause, because its message may quote the file. */
export const refuseInvalid = <Result>(model: string, work: () => Result): Result => {
  try {
    return work()
  } catch (cause) {
    const problem = 'its tokenizer.json cannot be used: take the one that was published with the model'
    throw failure('model_invalid', { model, problem }, { cause })
  }
}

const read = (definition: unknown, padToken: string | undefined): Omit<TokenizerDefinition, 'model'> => {
  const json = record(definition)
  const model = record(json['model'])
  const added = list(json['added_tokens']).map(addedToken)
  const entries = entriesOf(model['vocab'])
  const ids = new Map([...entries, ...added.map(({ content, id }) => [content, id] as const)])
  const unknownId = unknownIdOf(model, ids)
  const vocabulary: (string | undefined)[] = []
  for (const [token, id] of entries) vocabulary[id] = token
  for (const token of added) vocabulary[token.id] = isSpecial(token) ? '' : token.content
  if (unknownId !== undefined) vocabulary[unknownId] = '\ufffd'
  return {
    json: () => JSON.stringify(withSecretTokens(json, model, added)),
    vocabulary,
    padId: (padToken === undefined ? undefined : ids.get(padToken)) ?? padIdOf(json['padding'], added),
    unknownId: unknownId ?? added.find(({ content }) => /^[[<|]+unk[\]>|]+$/i.test(content))?.id,
    templates: templatesOf(json['post_processor'], (token) => ids.get(token)),
    idOf: (token) => ids.get(token),
  }
}

const addedToken = (value: unknown): AddedToken => {
  const { id, content, ...rest } = record(value)
  if (!isId(id) || typeof content !== 'string' || content === '')
    throw new TypeError('an added token has no valid id or content')
  return { ...rest, id, content }
}

const isSpecial = ({ special }: AddedToken) => special === true

/** No vocabulary has greater ids; an array up to them would be huge. */
const isId = (id: unknown): id is number => typeof id === 'number' && Number.isInteger(id) && id >= 0 && id < 2 ** 24

/** The tokens with their ids. A vocabulary that is a list has them in order, each with its score. */
const entriesOf = (vocabulary: unknown): [token: string, id: number][] => {
  const entries = Array.isArray(vocabulary)
    ? vocabulary.map((entry, id) => [list(entry)[0], id])
    : Object.entries(record(vocabulary))
  return entries.map(([token, id]) => {
    if (typeof token !== 'string' || !isId(id)) throw new TypeError('the vocabulary has an invalid token or id')
    return [token, id]
  })
}

const unknownIdOf = ({ unk_token: token, unk_id: id }: Json, ids: ReadonlyMap<string, number>): number | undefined => {
  if (isId(id)) return id
  return typeof token === 'string' ? ids.get(token) : undefined
}

const padIdOf = (padding: unknown, added: readonly AddedToken[]): number => {
  if (isRecord(padding) && isId(padding['pad_id'])) return padding['pad_id']
  return added.find(({ content }) => /^[[<|]+pad[\]>|]+$/i.test(content))?.id ?? 0
}

/**
 * Gives special tokens secret spellings: the library would otherwise find them in any text, where a caller could write
 * them. They stay in their lists, because ids follow from the order.
 */
const withSecretTokens = (json: Json, model: Json, added: readonly AddedToken[]): Json => {
  const special = new Set(added.filter(isSpecial).map(({ content }) => content))
  const hidden = (token: unknown) => (typeof token === 'string' && special.has(token) ? secret + token : token)
  return {
    ...json,
    version: '1.0',
    truncation: null,
    padding: null,
    post_processor: null,
    added_tokens: added.map((token) => ({
      ...addedTokenDefaults,
      ...token,
      content: hidden(token.content),
      ...(isSpecial(token) && { special: false, normalized: false }),
    })),
    model: {
      ...model,
      unk_token: hidden(model['unk_token']),
      vocab: Array.isArray(model['vocab'])
        ? list(model['vocab']).map((entry): unknown[] => [hidden(list(entry)[0]), list(entry)[1]])
        : Object.fromEntries(Object.entries(record(model['vocab'])).map(([token, id]) => [String(hidden(token)), id])),
      ...(Array.isArray(model['merges']) && {
        merges: model['merges'].filter((merge) => !involvesAny(special, merge)),
      }),
    },
  }
}

const addedTokenDefaults = { single_word: false, lstrip: false, rstrip: false, special: false, normalized: true }

const secret = `\u{10ffff}${randomUUID()}`

/** Whether a merge, "a b" or ["a", "b"], contains or produces one of these tokens. */
const involvesAny = (special: ReadonlySet<string>, merge: unknown): boolean => {
  const [left = '', right = ''] = typeof merge === 'string' ? merge.split(' ') : list(merge).map(String)
  return special.has(left) || special.has(right) || special.has(left + right)
}

const record = (value: unknown): Json => {
  if (!isRecord(value)) throw new TypeError('an object is missing')
  return value
}
