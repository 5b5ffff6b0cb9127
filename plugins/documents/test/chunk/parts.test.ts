import { contentsOf } from '@sallyport/core'
import { expect } from 'chai'
import fc from 'fast-check'
import { chunksOf, oneChunk } from '../../src/chunk/parts.js'
import type { Block, Cell } from '../../src/model/blocks.js'
import { text } from '../../src/model/inlines.js'
import { write } from '../../src/write/index.js'
import { chunksIn, limits } from '../support/read.js'
import { blocks } from '../support/trees.js'

const fragmentsOf = (all: readonly Block[], format: 'markdown' | 'text' | 'html' = 'markdown') =>
  write({ blocks: all }, format, limits.characters)
const heading = (level: number, title: string): Block => ({ type: 'heading', level, content: [text(title)] })
const paragraph = (content: string, page?: number): Block => ({
  type: 'paragraph',
  content: [text(content)],
  ...(page && { page }),
})
const cell = (content: string): Cell => ({ content: [paragraph(content)], columns: 1, rows: 1 })
const texts = (all: readonly Block[], size: number) =>
  chunksIn(chunksOf(fragmentsOf(all), 'markdown', size).parts, 'markdown').map(({ written }) => written.trimEnd())

describe('parts of a document', () => {
  it('make the contents, keep to the size, and begin with something', () => {
    fc.assert(
      fc.property(
        blocks,
        fc.integer({ min: 1, max: 300 }),
        fc.constantFrom('markdown' as const, 'text' as const, 'html' as const),
        (all, size, format) => {
          const fragments = fragmentsOf(all, format)
          const { parts, headings } = chunksOf(fragments, format, size)
          const whole = oneChunk(fragments)
          const chunks = chunksIn(parts, format)
          expect(chunks.map(({ written }) => written).join('')).to.equal(
            whole.parts.map((part) => contentsOf(part, format)).join(''),
          )
          for (const { written, headings: above = [] } of chunks) {
            expect(Array.from(written.trimEnd()).length).to.be.at.most(size)
            expect(written.trim()).not.to.equal('')
            for (const place of above) expect(headings[place]).to.be.a('string')
          }
          expect(headings).to.deep.equal(whole.headings)
        },
      ),
      { numRuns: 400 },
    )
  })

  it('end where a heading begins, and tell what is above them', () => {
    const { headings, parts } = chunksOf(
      fragmentsOf([
        heading(1, 'A'),
        paragraph('a'),
        heading(2, 'B'),
        paragraph('b'),
        heading(2, 'C'),
        paragraph('c'),
        heading(1, 'D'),
      ]),
      'markdown',
      1000,
    )
    expect(
      chunksIn(parts, 'markdown').map((part) => [
        part.written.trimEnd(),
        ...(part.headings ?? []).map((place) => headings[place]),
      ]),
    ).to.deep.equal([
      ['# A\n\na', 'A'],
      ['## B\n\nb', 'A', 'B'],
      ['## C\n\nc', 'A', 'C'],
      ['# D', 'D'],
    ])
  })

  it('keep a heading with what follows, headings below it and the first sentences included', () => {
    expect(
      texts([heading(1, 'A'), heading(2, 'B'), paragraph('One sentence. Another one. A third.')], 30),
    ).to.deep.equal(['# A\n\n## B\n\nOne sentence.', 'Another one. A third.'])
  })

  it('are cut between blocks, else sentences, else words', () => {
    expect(texts([paragraph('One two. Three four. Five six.'), paragraph('Next.')], 22)).to.deep.equal([
      'One two. Three four.',
      'Five six.\n\nNext.',
    ])
    expect(texts([paragraph('alpha beta gamma delta')], 12)).to.deep.equal(['alpha beta', 'gamma delta'])
    expect(texts([paragraph('abcdefghij')], 4)).to.deep.equal(['abcd', 'efgh', 'ij'])
    expect(texts([paragraph('一二三。四五六七。八九')], 6)).to.deep.equal(['一二三。', '四五六七。', '八九'])
  })

  it('are never cut within a row that fits', () => {
    const rows = Array.from({ length: 9 }, (_, row) => [cell(`A sentence. ${row}`), cell('Another. One')])
    const parts = texts([{ type: 'table', headers: 1, rows }], 80)
    expect(parts.length).to.be.greaterThan(3)
    for (const part of parts) for (const line of part.split('\n')) expect(line).to.match(/^\|.*\|$/)
  })

  it('do not part what belongs to one character', () => {
    expect(texts([paragraph('abc👍🏽e\u0301')], 4)).to.deep.equal(['abc', '👍🏽e\u0301'])
  })

  it('tell the page that they begin on', () => {
    const { parts } = chunksOf(fragmentsOf([paragraph('one', 1), paragraph('two', 2)]), 'markdown', 5)
    expect(parts.map(({ page }) => page)).to.deep.equal([1, 2])
  })
})
