import type { Block } from './blocks.js'
import { plainOf } from './inlines.js'

/** The first heading, where it is one of the outermost and nothing but a few lines stands before it. */
export const headingTitle = (blocks: readonly Block[]): string | undefined => {
  const first = blocks.slice(0, 5).find(({ type }) => type === 'heading')
  return first?.type === 'heading' && first.level === 1 ? plainOf(first.content) || undefined : undefined
}
