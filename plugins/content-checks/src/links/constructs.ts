/** What Markdown and HTML make links and images of, found without a parser's trust: what may be one to anybody is one. */

import type { Span } from '@sallyport/kit/views'

export type ConstructType = 'IMAGE' | 'LINK' | 'LINK_DEFINITION' | 'EMBED' | 'ADDRESS'

/** Something in a text that has addresses. */
export interface Construct extends Span {
  readonly type: ConstructType
  /** What is left out when it is removed: of a link not its label. */
  readonly parts: readonly Span[]
  readonly addresses: readonly string[]
  /** Whether what it leads to is loaded when it is shown. */
  readonly isLoaded: boolean
  /** Whether the text ends in it: what follows may go on with it, or make it none. */
  readonly isOpen: boolean
  /** Whether nothing else is looked for in it. */
  readonly isClean: boolean
  /** From where on it holds what is looked at for itself: without that, it might have another address. */
  readonly inside?: number
}

/** UTF-16 units. What is longer ends there. */
export const longest = {
  label: 256,
  description: 1024,
  destination: 4096,
  tag: 4096,
  address: 2048,
  title: 1024,
} as const

/** An end, and whether the text itself ends there. */
export interface End {
  readonly end: number
  readonly isOpen: boolean
}

/** Up to the first match of a global pattern that stands at most so far away; its end counts. */
export const endOf = (text: string, from: number, pattern: RegExp, most: number): End | undefined => {
  const part = text.slice(from, from + most)
  pattern.lastIndex = 0
  const found = pattern.exec(part)
  if (found) return { end: from + found.index + found[0].length, isOpen: false }
  return from + most >= text.length ? { end: text.length, isOpen: true } : undefined
}
