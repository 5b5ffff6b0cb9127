import { isRecord } from '@sallyport/kit/json'

/** The tokens of a text, or of a pair, with special tokens and cut to the model's limit. */
export interface Encoding {
  readonly ids: readonly number[]
  /** 0 for tokens of the first text, 1 for those of the second; all 0 where absent. */
  readonly typeIds?: readonly number[]
  /** At the first token of each word its number, from 1, and 0 elsewhere; only for models that score spans of words. */
  readonly words?: readonly number[]
}

interface TemplatePiece {
  /** The id of a special token, or a placeholder for the first or the second text. */
  readonly id: number | 'first' | 'second'
  readonly typeId: number
}

/** The special tokens around a text, or around and between two. */
export class TokenTemplate {
  /** How many special tokens come before the first text. */
  readonly before: number
  readonly specialTokenCount: number

  constructor(private readonly pieces: readonly TemplatePiece[]) {
    this.before = pieces.findIndex(({ id }) => id === 'first')
    this.specialTokenCount = pieces.filter(({ id }) => typeof id === 'number').length
  }

  apply(first: readonly number[], second: readonly number[] = []): Encoding {
    const ids: number[] = []
    const typeIds: number[] = []
    for (const { id, typeId } of this.pieces) {
      const added = id === 'first' ? first : id === 'second' ? second : [id]
      for (const one of added) {
        ids.push(one)
        typeIds.push(typeId)
      }
    }
    return { ids, typeIds }
  }
}

export interface TokenTemplates {
  readonly single: TokenTemplate
  readonly pair: TokenTemplate
}

const first: TemplatePiece = { id: 'first', typeId: 0 }
const second: TemplatePiece = { id: 'second', typeId: 0 }

/**
 * The templates that the post-processor of a tokenizer.json describes.
 * @param idOf the id of a special token
 * @throws TypeError for an unknown post-processor, and for tokens that the vocabulary lacks
 */
export const templatesOf = (processor: unknown, idOf: (token: string) => number | undefined): TokenTemplates => {
  const { type, ...parts } = isRecord(processor) ? processor : {}
  const token = (content: unknown, typeId: unknown = 0): TemplatePiece => {
    const id = typeof content === 'string' ? idOf(content) : undefined
    if (id === undefined) throw new TypeError('a special token is not in the vocabulary')
    return { id, typeId: typeId === 1 ? 1 : 0 }
  }
  if (type === undefined || type === 'ByteLevel') return templates([first], [first, second])
  if (type === 'Sequence') return templatesOf(list(parts['processors']).find(addsTokens), idOf)
  if (type === 'TemplateProcessing') {
    const [single, pair] = [parts['single'], parts['pair']].map((items) =>
      list(items).map((item) => templatePiece(item, token)),
    )
    return templates(single ?? [], pair ?? [])
  }
  if (type !== 'BertProcessing' && type !== 'RobertaProcessing') throw new TypeError('its post-processor is unknown')
  const [cls, sep] = [list(parts['cls'])[0], list(parts['sep'])[0]]
  const single = [token(cls), first, token(sep)]
  // RoBERTa has a single token type, and two separators between two texts.
  return type === 'RobertaProcessing'
    ? templates(single, [...single, token(sep), second, token(sep)])
    : templates(single, [...single, { ...second, typeId: 1 }, token(sep, 1)])
}

const addsTokens = (processor: unknown) => isRecord(processor) && processor['type'] !== 'ByteLevel'

const templatePiece = (item: unknown, token: (content: unknown, typeId: unknown) => TemplatePiece): TemplatePiece => {
  const { Sequence: text, SpecialToken: special } = isRecord(item) ? item : {}
  if (isRecord(special)) return token(special['id'], special['type_id'])
  if (!isRecord(text)) throw new TypeError('its post-processor has an unknown part')
  return { ...(text['id'] === 'B' ? second : first), typeId: text['type_id'] === 1 ? 1 : 0 }
}

/** Where a post-processor has no place for a second text, the second text follows the first one. */
const templates = (single: readonly TemplatePiece[], pair: readonly TemplatePiece[]): TokenTemplates => {
  const whole = pair.some(({ id }) => id === 'second') ? pair : [...single, second]
  return { single: new TokenTemplate(single), pair: new TokenTemplate(whole) }
}

/** Empty for anything but an array. */
export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
