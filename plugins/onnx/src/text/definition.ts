import { failure } from '@sallyport/core'
import { isRecord } from '@sallyport/kit/json'
import type { WordStarts } from './pre-tokenization.js'
import { Frame } from './frame.js'
import { library } from './library.js'
import type { TokenizerSteps } from './library.js'

/** A token that is no part of the model's own vocabulary. */
export interface AddedToken {
  readonly id: number
  readonly content: string
  /** Steers the model: no text of a user becomes it. */
  readonly special: boolean
  /** Is looked for in the normalised text. */
  readonly normalized: boolean
  /** White space before or after it belongs to it. */
  readonly lstrip: boolean
  readonly rstrip: boolean
}

/** A model's tokenizer.json, ready for use. */
export interface TokenizerDefinition {
  /** The steps as the library makes them; it knows of no added token. */
  readonly steps: TokenizerSteps
  readonly added: readonly AddedToken[]
  readonly wordStarts: WordStarts
  /** Whether the first word gets a word's start (▁) that is no part of the text. */
  readonly prefixesWordStart: boolean
  readonly padId: number
  /** Of the unknown token; absent where every character has tokens. */
  readonly unknownId: number | undefined
  /** Special tokens around one text, and around two. */
  readonly frames: { readonly single: Frame; readonly pair: Frame }
}

/** No text has it: lone surrogates are replaced before anything else. */
const hiding = '\ud800'

/** The content of a special token as the vocabulary has it, so that no text can become it. */
export const hidden = (content: string) => hiding + content

export const shown = (content: string) => (content.startsWith(hiding) ? content.slice(hiding.length) : content)

/**
 * Reads a parsed tokenizer.json. Its own truncation and padding are not the model's, and are left out.
 * @param padToken the text of the token for padding, where it is known
 * @throws model_invalid
 */
export const readDefinition = (model: string, definition: unknown, padToken?: string): TokenizerDefinition => {
  try {
    return read(definition, padToken)
  } catch (cause) {
    const problem = 'its tokenizer.json is not one that can be used; take the one that was published with the model'
    throw failure('model_invalid', { model, problem }, { cause })
  }
}

const read = (definition: unknown, padToken: string | undefined): TokenizerDefinition => {
  const json = record(definition)
  const added = list(json.added_tokens).map(addedToken)
  const preTokenizer = withPrependScheme(json.pre_tokenizer ?? null)
  const steps = new library.Tokenizer(
    {
      normalizer: json.normalizer ?? null,
      pre_tokenizer: preTokenizer,
      post_processor: json.post_processor ?? null,
      decoder: json.decoder ?? null,
      model: withoutSpecialTexts(record(json.model), new Set(added.filter(({ special }) => special).map(contentOf))),
      added_tokens: [],
    },
    {},
  )
  const metaspace = leavesOf(preTokenizer).find(({ type }) => type === 'Metaspace')
  const idOf = idsByText(steps, added)
  return {
    steps,
    added,
    wordStarts: wordStartsOf(metaspace, steps),
    prefixesWordStart: metaspace?.prepend_scheme !== 'never',
    padId: (padToken === undefined ? undefined : idOf(padToken)) ?? padIdOf(json.padding, added),
    unknownId: steps.model.unk_token_id ?? added.find(({ content }) => /^[[<|]+unk[\]>|]+$/i.test(content))?.id,
    frames: framesOf(steps, idOf),
  }
}

const addedToken = (value: unknown): AddedToken => {
  const { id, content, special, normalized, lstrip, rstrip } = record(value)
  if (typeof id !== 'number' || !isId(id) || typeof content !== 'string' || content === '')
    throw new TypeError('an added token is not one')
  return {
    id,
    content,
    special: special === true,
    normalized: typeof normalized === 'boolean' ? normalized : special !== true,
    lstrip: lstrip === true,
    rstrip: rstrip === true,
  }
}

/** Greater ones are no vocabulary's, and would make it huge. */
const isId = (id: number) => Number.isInteger(id) && id >= 0 && id < 2 ** 24

const contentOf = ({ content }: AddedToken) => content

/** The vocabulary holds the special tokens, too, where some algorithms would find them in a text. */
const withoutSpecialTexts = (model: Record<string, unknown>, special: ReadonlySet<string>) => {
  const name = (token: unknown) => (typeof token === 'string' && special.has(token) ? hidden(token) : token)
  const vocab: unknown = Array.isArray(model.vocab)
    ? list(model.vocab).map((entry) => {
        const [token, score] = list(entry)
        return [name(token), score]
      })
    : Object.fromEntries(Object.entries(record(model.vocab)).map(([token, id]) => [name(token), id]))
  return { ...model, vocab, unk_token: name(model.unk_token) }
}

/** Older files say `add_prefix_space` where newer ones have a `prepend_scheme`. */
const withPrependScheme = (preTokenizer: unknown): unknown => {
  if (!isRecord(preTokenizer)) return preTokenizer
  if (Array.isArray(preTokenizer.pretokenizers))
    return { ...preTokenizer, pretokenizers: preTokenizer.pretokenizers.map(withPrependScheme) }
  if (preTokenizer.type !== 'Metaspace' || preTokenizer.add_prefix_space !== false) return preTokenizer
  return { prepend_scheme: 'never', ...preTokenizer }
}

const leavesOf = (preTokenizer: unknown): Record<string, unknown>[] => {
  if (!isRecord(preTokenizer)) return []
  return Array.isArray(preTokenizer.pretokenizers) ? preTokenizer.pretokenizers.flatMap(leavesOf) : [preTokenizer]
}

const startWithin = /[^\u2581]\u2581/u

const wordStartsOf = (metaspace: Record<string, unknown> | undefined, { model }: TokenizerSteps): WordStarts => {
  if (metaspace && metaspace.split !== false) return 'every'
  // one unknown character makes a whole word unknown
  if (model instanceof library.WordPiece) return 'none'
  return model.vocab.some((token) => startWithin.test(token)) ? 'none' : 'first'
}

type IdOf = (token: string) => number | undefined

/** Of any token, a special one included. */
const idsByText =
  ({ model }: TokenizerSteps, added: readonly AddedToken[]): IdOf =>
  (token) =>
    added.find(({ content }) => content === token)?.id ??
    model.tokens_to_ids.get(token) ??
    model.tokens_to_ids.get(hidden(token))

const framesOf = ({ post_processor: processor }: TokenizerSteps, idOf: IdOf) => {
  return { single: new Frame(processor, idOf, 'single'), pair: new Frame(processor, idOf, 'pair') }
}

const padIdOf = (padding: unknown, added: readonly AddedToken[]): number => {
  if (isRecord(padding) && typeof padding.pad_id === 'number') return padding.pad_id
  return added.find(({ content }) => /^[[<|]+pad[\]>|]+$/i.test(content))?.id ?? 0
}

const record = (value: unknown): Record<string, unknown> => {
  if (!isRecord(value)) throw new TypeError('an object is missing')
  return value
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
