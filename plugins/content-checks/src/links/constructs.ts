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
  /** Where what it holds begins that is looked at by itself: without that, it might have another address. */
  readonly inside?: number
}

/** UTF-16 units. What is longer ends there. */
export const maxLengths = {
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
