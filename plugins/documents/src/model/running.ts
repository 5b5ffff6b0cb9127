import type { Block } from './blocks.js'
import { saidIn } from './within.js'

/** Headers and footers of pages stand once each, before and after the text; what has no letters counts pages. */
export const withRunning = (
  headers: readonly (readonly Block[])[],
  body: readonly Block[],
  footers: readonly (readonly Block[])[],
): Block[] => [...distinct(headers), ...body, ...distinct(footers)]

const distinct = (all: readonly (readonly Block[])[]): Block[] => {
  const bySaid = new Map(all.map((blocks) => [saidIn(blocks).trim(), blocks]))
  return [...bySaid].flatMap(([said, blocks]) => (/\p{L}/u.test(said) ? blocks : []))
}
