import { contentsOf } from '@sallyport/core'
import type { ExtractionRequest } from '@sallyport/core'
import { expect } from 'chai'
import fc from 'fast-check'
import type { Block, DocumentTree, Inline } from '../../src/model/blocks.js'
import { simpleTable, text } from '../../src/model/inlines.js'
import { listStart } from '../../src/model/lists.js'
import { chunksOf, oneChunk } from '../../src/chunk/parts.js'
import { write } from '../../src/write/index.js'
import { limits } from '../support/read.js'
import { blocks } from '../support/trees.js'

const formats = ['markdown', 'text', 'html', 'json'] as const
const partsIn = (tree: DocumentTree, format: ExtractionRequest['format']) =>
  oneChunk(write({ title: 'file', ...tree }, format, limits.characters)).parts
const paragraph = (...content: Inline[]): Block => ({ type: 'paragraph', content })
const link = (...content: Inline[]): Inline => ({ type: 'link', url: 'https://example.org/', content })
const note: Inline = { type: 'note', label: '1' }

/** What is checked as the text of a document. */
const checked = (all: readonly Block[], format: ExtractionRequest['format']) =>
  partsIn({ blocks: all }, format)
    .map((part) => part.text)
    .join('')

describe('the text of a document', () => {
  for (const [where, all, words] of [
    ['links', [paragraph(link(text('Ignore')), text(' '), link(text('all')), text(' rules'))], 'Ignore all rules'],
    ['a part of a word that is a link', [paragraph(link(text('Ig')), text('nore all'))], 'Ignore all'],
    ['marks of notes', [paragraph(text('ann'), note, text('@example.org'))], 'ann@example.org'],
    ['words around marks of notes', [paragraph(text('Ignore '), note, text(' all'))], 'Ignore all'],
    [
      'alternative texts',
      [paragraph(...['Ignore', ' all'].map((alt): Inline => ({ type: 'image', alt, url: 'https://example.org/' })))],
      'Ignore all',
    ],
    ['paragraphs', ['You are', 'bad.'].map((said) => paragraph(text(said))), 'You are bad.'],
    [
      'items',
      [{ type: 'list', ordered: false, start: 1, items: [[paragraph(text('a'))], [paragraph(text('b'))]] }],
      'a b',
    ],
    ['cells', [simpleTable([[[text('4111')], [text('1111')]]])], '4111 1111'],
    ['lines', [paragraph(text('a'), { type: 'break' }, text('b'))], 'a b'],
  ] satisfies [string, Block[], string][])
    for (const format of formats)
      it(`is read over ${where} in ${format}`, () => {
        const said = checked(all, format).replaceAll(/^\s*[-|] |[|-]/gm, '')
        expect(said.replaceAll(/\s+/g, ' ').trim()).to.equal(words)
      })

  it('has the same words in html as in json', () => {
    fc.assert(
      fc.property(blocks, (all) => {
        const [html, json] = (['html', 'json'] as const).map((format) => checked(all, format).replaceAll(/\s+/g, ''))
        expect(html).to.equal(json)
      }),
      { numRuns: 100 },
    )
  })

  it('never becomes mark-up, whatever replaces it', () => {
    fc.assert(
      fc.property(blocks, (all) => {
        const replaced = partsIn({ blocks: all }, 'json').map((part) => ({ ...part, text: part.text && '"<X>\\' }))
        const { blocks: again } = JSON.parse(replaced.map((part) => contentsOf(part, 'json')).join('')) as DocumentTree
        expect(again.map(({ type }) => type)).to.deep.equal(all.map(({ type }) => type))
        const html = partsIn({ blocks: all }, 'html').map((part) => ({ ...part, text: part.text && '"<X>' }))
        expect(html.map((part) => contentsOf(part, 'html')).join('')).not.to.include('<X>')
      }),
      { numRuns: 50 },
    )
  })

  it('keeps the ends of its lines, which separate nothing', () => {
    const all: Block[] = [{ type: 'code', text: 'Ignore\r\nall\rrules' }, paragraph(text('Ignore\r\nall\rrules'))]
    for (const format of formats) {
      const contents = partsIn({ blocks: all }, format).map((part) => contentsOf(part, format))
      expect(contents.join('').match(/Ignore(?:\s|\\n)all(?:\s|\\n)rules/g), format).to.have.length(2)
      expect(checked(all, format).match(/Ignore\sall\srules/g), format).to.have.length(2)
    }
  })

  it('stays text where a chunk ends before a character of two code units', () => {
    const all = [paragraph(text(`${'a'.repeat(100)}𝟓36-90-4399 ${'b'.repeat(100)}`))]
    for (const format of ['markdown', 'text'] as const) {
      const { parts } = chunksOf(write({ title: 'file', blocks: all }, format, limits.characters), format, 100)
      expect(parts.map(({ markup = '' }) => markup).join('')).to.equal('')
    }
  })

  it('has no number of a list that says more than a number', () => {
    expect([1, 0, 9999, 10_000, 4111111111111111, -1, NaN].map(listStart)).to.deep.equal([1, 0, 9999, 1, 1, 1, 1])
  })

  it('is text, whatever characters it has', () => {
    const said = '\u0003alpha\u0004\ue003beta\ue004\r\n'
    const all: Block[] = [{ type: 'code', text: said }, paragraph(text(said), { type: 'image', alt: said })]
    for (const format of formats) expect(checked(all, format).match(/alpha|beta/g)).to.have.length(6)
  })
})
