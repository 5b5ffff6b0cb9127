/** Random documents. */

import fc from 'fast-check'
import type { Block, Inline, Mark } from '../../src/model/blocks.js'
import { text } from '../../src/model/inlines.js'

const characters = Array.from('abcdef ÄßжあB12 .,;:!?(){}>&*_~`#+-=|\\/"\'$%@👍🏽e\u0301\n')

export const words = fc
  .array(fc.constantFrom(...characters), { minLength: 1, maxLength: 40 })
  .map((all) => all.join(''))

/** What is bold, a link or a program is more like words. */
const plainWords = fc.stringMatching(/^[a-zÄß1][a-zÄß1 .,()-]{0,20}[a-zÄß1]$/)

const shown = words.filter((one) => /[\p{L}\p{N}]/u.test(one))

const marks = fc.subarray<Mark>(['bold', 'italic'], { maxLength: 2 })

const inline: fc.Arbitrary<Inline> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.oneof(
      shown.map((content) => text(content)),
      fc.tuple(plainWords, marks).map(([content, of]) => text(content, of)),
    ),
  },
  {
    weight: 1,
    arbitrary: plainWords.map((content): Inline => ({
      type: 'link',
      url: 'https://example.org/?a=(b)',
      content: [text(content)],
    })),
  },
  { weight: 1, arbitrary: fc.constant<Inline>({ type: 'break' }) },
  { weight: 1, arbitrary: plainWords.map((content): Inline => text(content, ['code'])) },
)

export const inlines = fc
  .tuple(shown, fc.array(inline, { maxLength: 4 }))
  .map(([first, rest]): Inline[] => [text(first), ...rest])

const paragraph = inlines.map((content): Block => ({ type: 'paragraph', content }))
const plainCell = inlines.map((content) => ({
  content: [{ type: 'paragraph' as const, content }],
  columns: 1,
  rows: 1,
}))

const leaf: fc.Arbitrary<Block> = fc.oneof(
  paragraph,
  fc
    .tuple(fc.integer({ min: 1, max: 6 }), shown)
    .map(([level, content]): Block => ({ type: 'heading', level, content: [text(content)] })),
  fc
    .array(
      words.map((one) => one.replaceAll('\n', ' ')),
      { minLength: 1, maxLength: 4 },
    )
    .map((lines): Block => ({ type: 'code', text: `x\n${lines.join('\n')}\nx` })),
  fc
    .integer({ min: 2, max: 3 })
    .chain((width) =>
      fc
        .array(fc.array(plainCell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 3 })
        .map((rows): Block => ({ type: 'table', headers: 1, rows })),
    ),
)

export const blocks: fc.Arbitrary<Block[]> = fc.letrec<{ block: Block; blocks: Block[] }>((tie) => ({
  block: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc
      .tuple(fc.boolean(), fc.array(fc.tuple(paragraph, tie('blocks')), { minLength: 1, maxLength: 3 }))
      .map(([ordered, items]): Block => ({
        type: 'list',
        ordered,
        start: 1,
        items: items.map(([first, rest]) => [first, ...rest]),
      })),
    tie('blocks').map((content): Block => ({
      type: 'quote',
      content: [{ type: 'paragraph', content: [text('q')] }, ...content],
    })),
  ),
  blocks: fc.array(tie('block'), { maxLength: 3 }),
})).blocks
