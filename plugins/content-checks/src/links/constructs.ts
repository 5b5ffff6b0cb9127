/** Constructs of Markdown and HTML that lead to an address. Whatever any renderer may take for one counts. */

import type { Span } from '@sallyport/kit/views'

/** A part of a text that has addresses. */
export interface Construct extends Span {
  readonly type: 'IMAGE' | 'LINK' | 'LINK_DEFINITION' | 'EMBED' | 'ADDRESS'
  /** The parts that a removal takes out; the label of a link stays. */
  readonly parts: readonly Span[]
  readonly addresses: readonly string[]
  /** Whether its address is loaded as soon as it is shown. */
  readonly isLoaded: boolean
  /** Whether the text ends within it, so that more text may change it. */
  readonly isOpen: boolean
  /** Whether the scan continues after it: no other construct can begin inside. */
  readonly isOpaque: boolean
  /** The start of inner constructs, if it may have any: removing one of them could change its address. */
  readonly innerStart?: number
}

/** A construct as one part, by default a link without addresses. */
export const construct = (
  start: number,
  end: number,
  more: Partial<Construct> & Pick<Construct, 'isOpen'>,
): Construct => ({
  ...{ type: 'LINK', start, end, parts: [{ start, end }], addresses: [], isLoaded: false, isOpaque: false },
  ...more,
})

/** Maximum lengths in UTF-16 code units; longer constructs are cut there. */
export const maxLengths = { label: 256, description: 1024, destination: 4096, tag: 4096, address: 2048 } as const

/** The end of a construct, and whether the text itself ends there. */
export interface End {
  readonly end: number
  readonly isOpen: boolean
}
