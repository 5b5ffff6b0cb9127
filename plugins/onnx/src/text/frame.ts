import { isRecord } from '@sallyport/kit/json'

/** The tokens of a text, or of a pair, with special tokens and cut to the model's limit. */
export interface Encoding {
  readonly ids: readonly number[]
  /** 0 for tokens of the first text, 1 for those of the second; absent where the model has no such input. */
  readonly typeIds?: readonly number[]
}

interface Item {
  /** The id of a special token, or a placeholder for the first or the second text. */
  readonly id: number | 'first' | 'second'
  readonly typeId: number
}

/** The special tokens around a text, or around and between two. */
export class Frame {
  /** How many special tokens come before the first text. */
  readonly before: number
  /** How many special tokens there are. */
  readonly size: number

  constructor(private readonly items: readonly Item[]) {
    this.before = items.findIndex(({ id }) => id === 'first')
    this.size = items.filter(({ id }) => typeof id === 'number').length
  }

  wrap(first: readonly number[], second: readonly number[] = []): Encoding {
    const ids: number[] = []
    const typeIds: number[] = []
    for (const { id, typeId } of this.items) {
      const added = id === 'first' ? first : id === 'second' ? second : [id]
      for (const one of added) {
        ids.push(one)
        typeIds.push(typeId)
      }
    }
    return { ids, typeIds }
  }
}

export interface Frames {
  readonly single: Frame
  readonly pair: Frame
}

type IdOf = (token: string) => number | undefined

const first: Item = { id: 'first', typeId: 0 }
const second: Item = { id: 'second', typeId: 0 }

/**
 * The frames that the post-processor of a tokenizer.json describes.
 * @param idOf the id of a special token
 * @throws TypeError for an unknown post-processor, and for tokens that the vocabulary lacks
 */
export const framesOf = (processor: unknown, idOf: IdOf): Frames => {
  const { type, ...parts } = isRecord(processor) ? processor : {}
  const token = (text: unknown, typeId: unknown = 0): Item => {
    const id = typeof text === 'string' ? idOf(text) : undefined
    if (id === undefined) throw new TypeError('a special token is not in the vocabulary')
    return { id, typeId: typeId === 1 ? 1 : 0 }
  }
  if (type === undefined || type === 'ByteLevel') return frames([first], [first, second])
  if (type === 'Sequence') return framesOf(list(parts['processors']).find(addsTokens), idOf)
  if (type === 'TemplateProcessing') {
    const [single, pair] = [parts['single'], parts['pair']].map((items) =>
      list(items).map((item) => templateItem(item, token)),
    )
    return frames(single ?? [], pair ?? [])
  }
  if (type !== 'BertProcessing' && type !== 'RobertaProcessing') throw new TypeError('its post-processor is unknown')
  const [cls, sep] = [list(parts['cls'])[0], list(parts['sep'])[0]]
  const single = [token(cls), first, token(sep)]
  // RoBERTa has a single token type, and two separators between two texts.
  return type === 'RobertaProcessing'
    ? frames(single, [...single, token(sep), second, token(sep)])
    : frames(single, [...single, { ...second, typeId: 1 }, token(sep, 1)])
}

const addsTokens = (processor: unknown) => isRecord(processor) && processor['type'] !== 'ByteLevel'

const templateItem = (item: unknown, token: (text: unknown, typeId: unknown) => Item): Item => {
  const { Sequence: text, SpecialToken: special } = isRecord(item) ? item : {}
  if (isRecord(special)) return token(special['id'], special['type_id'])
  if (!isRecord(text)) throw new TypeError('its post-processor has an unknown part')
  return { ...(text['id'] === 'B' ? second : first), typeId: text['type_id'] === 1 ? 1 : 0 }
}

/** Where a post-processor has no place for a second text, that follows the first one. */
const frames = (single: readonly Item[], pair: readonly Item[]): Frames => {
  const whole = pair.some(({ id }) => id === 'second') ? pair : [...single, second]
  return { single: new Frame(single), pair: new Frame(whole) }
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
