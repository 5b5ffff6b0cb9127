import { expect } from 'chai'
import { linesAt, pdfOf } from '@sallyport/stand-ins/pdf'
import { markdownOf, problemOf, treeOf, written } from '../support/read.js'

const prose = (word: string) =>
  Array.from({ length: 6 }, (_, index) => `${word} ${index} is a line of some length in it`)

describe('a PDF', () => {
  it('has its own title, headings by the size of the font, and paragraphs', async () => {
    const page = [
      { text: 'The heading', left: 72, top: 72, size: 22 },
      ...linesAt(72, 120, ['A first line that goes on', 'in a second one.']),
      ...linesAt(72, 190, ['Another paragraph.']),
    ]
    const tree = await treeOf(pdfOf([page], { title: 'Told' }))
    expect(written(tree, 'markdown')).to.equal(
      '# The heading\n\nA first line that goes on in a second one.\n\nAnother paragraph.\n',
    )
    expect(tree.title).to.equal('Told')
    expect((await treeOf(pdfOf([page]))).title).to.equal('The heading')
  })

  it('reads columns one after the other, whatever the order of its program', async () => {
    const [left, right] = [linesAt(60, 200, prose('Left')), linesAt(330, 200, prose('Right'))]
    const rows = left.flatMap((one, index) => [one, right[index]!])
    const text = written(
      await treeOf(pdfOf([[...rows, { text: 'A title across both of the columns', left: 150, top: 120, size: 20 }]])),
      'text',
    )
    expect(text.startsWith('A title across')).to.equal(true)
    expect(text.indexOf('Left 5')).to.be.lessThan(text.indexOf('Right 0'))
  })

  it('reads three columns that have headings in them, below what spans them', async () => {
    const column = (name: string, left: number) => [
      { text: `${name} heading`, left, top: 200, size: 14, bold: true },
      ...linesAt(
        left,
        220,
        Array.from({ length: 8 }, (_, line) => `${name} line ${line} has so many words`),
      ),
    ]
    const page = [
      { text: 'A title across all of the columns, wherever it is', left: 72, top: 150, size: 18 },
      ...['A', 'B', 'C'].flatMap((name, index) => column(name, 40 + 185 * index)),
    ]
    const text = written(await treeOf(pdfOf([page])), 'text')
    const places = ['A title', 'A heading', 'A line 7', 'B heading', 'B line 0', 'B line 7', 'C heading', 'C line 7']
    expect(places.map((place) => text.indexOf(place))).to.deep.equal(
      places.map((place) => text.indexOf(place)).toSorted((one, other) => one - other),
    )
    expect(text).not.to.include('\t')
  })

  it('reads columns of short lines one after the other, where these are no rows of a table', async () => {
    const list = (name: string, left: number, top: number) =>
      linesAt(
        left,
        top,
        Array.from({ length: 9 }, (_, line) => `${name} ${line} ${'is a choice '.repeat(1 + (line % 2))}`),
      )
    const text = written(await treeOf(pdfOf([[...list('Left', 60, 200), ...list('Right', 330, 206)]])), 'text')
    expect(text.indexOf('Left 8')).to.be.lessThan(text.indexOf('Right 0'))
  })

  it('puts words together that were parted at the end of a line', async () => {
    expect(
      await markdownOf(
        pdfOf([linesAt(72, 72, ['This is a hyphen-', 'ated word in a text', 'of the well-known kind'])]),
      ),
    ).to.equal('This is a hyphenated word in a text of the well-known kind\n')
  })

  it('finds lists', async () => {
    expect(await markdownOf(pdfOf([linesAt(72, 72, ['- one', '- two', '1. first', '2. second'])]))).to.equal(
      '- one\n- two\n\n1. first\n2. second\n',
    )
  })

  it('finds plain tables', async () => {
    const row = (top: number, ...cells: string[]) => cells.map((text, index) => ({ text, left: 72 + 120 * index, top }))
    const page = [...row(100, 'Name', 'Age', 'Town'), ...row(116, 'Ann', '31', 'Ulm'), ...row(132, 'Bob', '27', 'Bonn')]
    expect(await markdownOf(pdfOf([page]))).to.equal(
      '| Name | Age | Town |\n| --- | --- | --- |\n| Ann | 31 | Ulm |\n| Bob | 27 | Bonn |\n',
    )
  })

  it('keeps links', async () => {
    const link = { url: 'https://example.org/x', box: [70, 700, 120, 725] as const }
    expect(await markdownOf(pdfOf([[{ text: 'There', left: 72, top: 72 }]], { link }))).to.equal(
      '[There](https://example.org/x)\n',
    )
  })

  for (const rotate of [0, 90, 180, 270])
    it(`tells pages and boxes, turned by ${rotate}`, async () => {
      const tree = await treeOf(pdfOf([[], [{ text: 'Word', left: 72, top: 72 }]], { rotate }))
      const [width, height] = rotate % 180 ? [792, 612] : [612, 792]
      expect(tree.pages).to.deep.equal([1, 2].map((number) => ({ number, width, height })))
      expect(tree.blocks.map(({ page }) => page)).to.deep.equal([2])
      const { left, top } = tree.blocks[0]!.box!
      if (rotate === 0) expect([left, top].map(Math.round)).to.deep.equal([72, 72 - 1 + Math.round(top - 71)])
      expect(left).to.be.within(0, width)
      expect(top).to.be.within(0, height)
    })

  it('has images where they are asked for', async () => {
    const bytes = pdfOf([[{ text: 'Word', left: 72, top: 72 }]], { image: true })
    expect(await markdownOf(bytes)).to.equal('Word\n')
    expect(await markdownOf(bytes, { embedImages: true })).to.match(
      /^Word\n\n!\[\]\(data:image\/png;base64,[\w+/=]+\)\n$/,
    )
  })

  it('of scanned pages is refused unless they are to be read', async () => {
    expect(await problemOf(pdfOf([[]], { image: true }))).to.include('enableOCR')
  })

  it('has only those pages read that have no text', async () => {
    const seen: number[] = []
    const ocr = ({ width, height, data }: { width: number; height: number; data: Uint8Array }) => {
      seen.push(width)
      expect(data.length).to.equal(width * height * 3)
      return Promise.resolve([{ text: 'Scanned', confidence: 1, box: { left: 100, top: 200, width: 50, height: 20 } }])
    }
    const scan = pdfOf([[{ text: 'Text', left: 72, top: 72 }], []], { image: true })
    const tree = await treeOf(scan, {
      ocr,
      limits: { unpacked: 0, elements: 1e6, pages: 9, ocrPages: 1, pixels: 1e8, characters: 1e6 },
    })
    expect(written(tree, 'text')).to.equal('Text\n\nScanned\n')
    expect(seen).to.deep.equal([1700])
    expect(tree.blocks.at(-1)).to.deep.include({ page: 2, box: { left: 36, top: 72, width: 18, height: 7.2 } })
  })

  it('with more pages than are read is refused', async () => {
    expect(await problemOf(pdfOf(Array.from({ length: 101 }, () => [])))).to.include('has 101 pages, and at most 100')
  })
})
