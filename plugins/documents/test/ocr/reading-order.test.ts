import { expect } from 'chai'
import fc from 'fast-check'
import { inReadingOrder } from '../../src/ocr/reading-order.js'

interface Line {
  readonly name: string
  readonly box: { readonly left: number; readonly top: number; readonly width: number; readonly height: number }
}

const line = (name: string, left: number, top: number, width: number): Line => ({
  name,
  box: { left, top, width, height: 20 },
})

const column = (prefix: string, left: number, top: number, count = 6, width = 300) =>
  Array.from({ length: count }, (_, index) => line(`${prefix}${index}`, left, top + 30 * index, width))

const pages: Readonly<Record<string, readonly Line[]>> = {
  'one column, from the top down': column('a', 0, 0, 9),
  'two columns, one after the other': [...column('a', 0, 7), ...column('b', 340, 0)],
  'three columns': [...column('a', 0, 0), ...column('b', 340, 5), ...column('c', 680, 10)],
  'a title above two columns, and a line below': [
    line('title', 100, 0, 500),
    ...column('a', 0, 60),
    ...column('b', 340, 60),
    line('foot', 0, 300, 640),
  ],
  'columns, a heading across, and columns again': [
    ...column('a', 0, 0),
    ...column('b', 340, 0),
    line('heading', 0, 200, 640),
    ...column('c', 0, 240),
    ...column('d', 340, 240),
  ],
  'a table, row by row': [0, 1, 2, 3, 4].flatMap((row) =>
    [0, 1, 2].map((cell) => line(`${row}/${cell}`, 200 * cell, 40 * row + cell, 60)),
  ),
  'a list, whose marks belong to its lines': [0, 1, 2, 3].flatMap((row) => [
    line(`mark${row}`, 0, 30 * row + 3, 20),
    line(`text${row}`, 40, 30 * row, 400),
  ]),
}

describe('reading order', () => {
  for (const [what, lines] of Object.entries(pages))
    it(`is that of ${what}, in whatever order the lines were found`, () => {
      fc.assert(
        fc.property(fc.shuffledSubarray([...lines], { minLength: lines.length }), (found) => {
          expect(inReadingOrder(found, ({ box }) => box).map(({ name }) => name)).to.deep.equal(
            lines.map(({ name }) => name),
          )
        }),
      )
    })

  it('loses no line and makes none, wherever they are', () => {
    const size = fc.integer({ min: 1, max: 400 })
    const boxes = fc.array(fc.record({ left: size, top: size, width: size, height: size }), { maxLength: 60 })
    fc.assert(
      fc.property(boxes, (all) => {
        const ordered = inReadingOrder(all, (box) => box)
        expect(ordered).to.have.length(all.length)
        expect(all.every((box) => ordered.includes(box))).to.equal(true)
      }),
    )
  })
})
