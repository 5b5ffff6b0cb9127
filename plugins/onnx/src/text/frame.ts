import type { Encoding } from './text-tokenizer.js'
import { library } from './library.js'
import type { PostProcessor } from './library.js'

/** Stand for the texts while the library puts special tokens around them. */
const slots = ['\ud800first', '\ud800second'] as const

interface Item {
  /** A special token, or the place of the first or the second text. */
  readonly id: number | 'first' | 'second'
  readonly typeId: number
}

/** The special tokens around a text, or around and between two. */
export class Frame {
  private readonly items: readonly Item[]
  /** Special tokens before the first text. */
  readonly before: number
  /** All special tokens. */
  readonly size: number

  constructor(processor: PostProcessor | null, idOf: (token: string) => number | undefined, kind: 'single' | 'pair') {
    this.items = itemsOf(processor, kind === 'pair').map(({ token, typeId }) => {
      const slot = slots.findIndex((one) => one === token)
      if (slot >= 0) return { id: slot === 0 ? 'first' : 'second', typeId }
      const id = idOf(token)
      if (id === undefined) throw new TypeError('a special token is not in the vocabulary')
      return { id, typeId }
    })
    this.before = this.items.findIndex(({ id }) => id === 'first')
    this.size = this.items.filter(({ id }) => typeof id === 'number').length
  }

  around(first: readonly number[], second: readonly number[] = []): Encoding {
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

const itemsOf = (processor: PostProcessor | null, isPair: boolean): { token: string; typeId: number }[] => {
  const [first, second] = slots
  const { tokens, token_type_ids } = processor?.post_process([first], isPair ? [second] : null, true) ?? {
    tokens: [first],
  }
  // RoBERTa has one type of token only
  const types = processor instanceof library.RobertaProcessingPostProcessor ? undefined : token_type_ids
  const items = tokens.map((token, index) => ({ token, typeId: types?.[index] ?? 0 }))
  return isPair && !tokens.includes(second) ? [...items, { token: second, typeId: 0 }] : items
}
