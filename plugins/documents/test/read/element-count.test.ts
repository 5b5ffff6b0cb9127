import { deflateSync } from 'node:zlib'
import { expect } from 'chai'
import { unzipSync, zipSync } from 'fflate'
import { write } from '../../src/write/index.js'
import { cell, docxOf, epubOf, odfOf, paragraph, pptxOf, shape, wordPart, xlsxOf } from '../support/office.js'
import { limits, problemOf, treeOf } from '../support/read.js'

const many = 1_500_000
const mail = (body: string, type = 'text/html') =>
  `From: a@example.com\nTo: b@example.com\nSubject: x\nMIME-Version: 1.0\nContent-Type: ${type}\n\n${body}`

/** A page with such a program. */
const pdfDrawing = (program: string): Buffer => {
  const stream = deflateSync(program)
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${stream.length}/Filter/FlateDecode>>stream\n${stream.toString('latin1')}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  const numbered = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`)
  return Buffer.from(`%PDF-1.4\n${numbered.join('')}trailer<</Root 1 0 R>>\n%%EOF`, 'latin1')
}

const elements = 'more than 250000 elements'

const attributeProblem = 'more than 1000 attributes'
const attributes = (count: number, value: string) =>
  Array.from({ length: count }, (_, at) => `a${at}="${value}"`).join(' ')

/** By what they are full of: how they are made, and the limit that the refusal names. */
const hostile: Readonly<Record<string, readonly [content: () => Uint8Array | string, problem: string]>> = {
  'paragraphs of a docx': [() => docxOf('<w:p/>'.repeat(many)), elements],
  'runs of a docx': [() => docxOf(`<w:p>${'<w:r/>'.repeat(many)}</w:p>`), elements],
  'styles of a docx': [
    () => docxOf(paragraph('x'), { 'word/styles.xml': wordPart('styles', '<w:style/>'.repeat(many)) }),
    elements,
  ],
  'paragraphs of a slide': [() => pptxOf([shape('<a:p/>'.repeat(many))]), elements],
  'rows of a sheet': [() => xlsxOf({ S: `<sheetData>${'<row/>'.repeat(many)}</sheetData>` }), elements],
  'cells of a row': [() => xlsxOf({ S: `<sheetData><row>${'<c/>'.repeat(many)}</row></sheetData>` }), elements],
  'paragraphs of an odt': [() => odfOf('text', '<text:p/>'.repeat(many)), elements],
  'rows of an ods': [() => odfOf('spreadsheet', `<table:table>${'<a:row/>'.repeat(many)}</table:table>`), elements],
  'paragraphs of an odp': [() => odfOf('presentation', '<text:p/>'.repeat(many)), elements],
  'paragraphs of html': [() => `<!doctype html>${'<p>'.repeat(many)}`, elements],
  'paragraphs of a book': [() => epubOf([`<html><body>${'<p/>'.repeat(many)}</body></html>`]), elements],
  'chapters of a book': [() => epubOf(Array.from({ length: 60 }, () => `<p>${'<p/>'.repeat(many / 60)}`)), elements],
  'elements of xml': [() => `<?xml version="1.0"?><a>${'<p/>'.repeat(many)}</a>`, elements],
  'paragraphs of an rtf': [() => `{\\rtf1 ${'x\\par '.repeat(many)}}`, elements],
  'rows of a csv': [() => `a,b\n${'1,2\n'.repeat(many)}`, elements],
  'cells of a csv': [() => `a,b\n${`${','.repeat(1000)}\n`.repeat(many / 1000)}`, elements],
  'values of json': [() => `[${'{},'.repeat(many)}{}]`, elements],
  'words of markdown': [() => `# a\n\n- b\n\n${'*x* '.repeat(many)}`, elements],
  'paragraphs of text': [() => 'x\n\n'.repeat(many), elements],
  'cues of a vtt': [() => `WEBVTT\n\n${'00:01.000 --> 00:02.000\nx\n\n'.repeat(many)}`, elements],
  'paragraphs of a mail': [() => mail('<p>'.repeat(many)), elements],
  'paragraphs of a mail in plain text': [() => mail('x\n\n'.repeat(many), 'text/plain'), elements],
  'attributes of html': [() => `<!doctype html><p ${attributes(150_000, '')}>`, attributeProblem],
  'attributes without values': [
    () => `<!doctype html><p ${attributes(150_000, '').replaceAll('=""', '')}>`,
    attributeProblem,
  ],
  'attributes of a docx': [() => docxOf(`<w:p ${attributes(1e6, '>')}/>`), attributeProblem],
  'attributes of xml': [() => `<?xml version="1.0"?><!-- it's --><a ${attributes(1e6, '>')}/>`, attributeProblem],
  'parts of a mail whose boundary is encoded': [
    () => mail(`${'--b\n\nx\n'.repeat(many / 100)}--b--\n`, "multipart/mixed; boundary*=utf-8''b"),
    'more than 5000 parts',
  ],
  'parts of a mail whose boundary is among comments': [
    () => mail(`${'--b\n\nx\n'.repeat(many / 100)}--b--\n`, 'multipart/mixed; bound(c)ary=b'),
    'more than 5000 parts',
  ],
  'parts of a mail': [
    () => mail(`${'--b\n\nx\n'.repeat(many / 100)}--b--\n`, 'multipart/mixed; boundary=b'),
    'more than 5000 parts',
  ],
  'addresses of a mail': [() => mail('x', `text/html\nCc: ${'b@example.com, '.repeat(1e5)}`), 'more than 1 MB'],
  'texts of a PDF page': [() => pdfDrawing(`BT /F1 12 Tf ${'(x) Tj '.repeat(4 * many)}ET`), 'fit into 160 MB'],
  'lines of a PDF page': [() => pdfDrawing('0 0 m 1 1 l S '.repeat(2 * many)), 'fit into 160 MB'],
}

describe('documents that are made of millions of elements', function () {
  this.timeout(60_000)
  const usual = { limits: { ...limits, unpacked: 512 * 2 ** 20, elements: 250_000 } }

  for (const [name, [made, problem]] of Object.entries(hostile))
    it(`are refused before they are taken apart: ${name}`, async () => {
      const content = made()
      const before = process.cpuUsage()
      expect(await problemOf(content, usual)).to.include(problem)
      const { user, system } = process.cpuUsage(before)
      expect((user + system) / 1e6).to.be.below(3)
    })

  it('are read where they are fewer, after others were refused', async () => {
    const written = async (content: Uint8Array | string) =>
      write(await treeOf(content, usual), 'text', 1e8)
        .flatMap(({ pieces }) => pieces.map(({ text }) => text))
        .join('')
    expect(await written(docxOf(paragraph('word').repeat(50_000)))).to.have.length.above(200_000)
    expect(await written(pdfDrawing('BT /F1 12 Tf 72 700 Td (word) Tj ET'))).to.include('word')
    const row = `<row r="1">${cell('A1', 'word')}</row>`
    expect(await written(xlsxOf({ S: `<sheetData>${row}</sheetData>` }))).to.include('word')
  })

  it('count once, where text turns out to be of another format', async () => {
    const few = { limits: { ...limits, elements: 1000 } }
    const line = '{"a":1,"b":2}\n'
    expect((await treeOf(line.repeat(450), few)).blocks).to.have.length(1)
    expect((await treeOf(`<div>${'<a>'.repeat(900)}word`, few)).blocks).to.have.length(1)
  })

  it('are no lines of a mail that only begin as those between parts do', async () => {
    const dump = '-- a comment of a program\n'.repeat(6000)
    for (const type of ['text/plain', 'multipart/mixed; boundary="-=b"'])
      expect(await treeOf(mail(type === 'text/plain' ? dump : `---=b\n\n${dump}\n---=b--\n`, type))).to.have.property(
        'blocks',
      )
  })

  it('are not in what a sheet only carries with it', async () => {
    const sheet = `<sheetData><row r="1">${cell('A1', 'word')}</row></sheetData>`
    const few = { limits: { ...limits, elements: 1000, unpacked: 512 * 2 ** 20 } }
    const carried = (parts: Record<string, Uint8Array>) =>
      Buffer.from(zipSync({ ...unzipSync(xlsxOf({ S: sheet })), ...parts }, { level: 0 }))
    for (const [name, size] of [
      ['xl/embeddings/oleObject1.bin', 129 * 2 ** 20],
      ['xl/activeX/activeX1.bin', 2 ** 20],
      ['xl/model/item.data', 2 ** 20],
    ] as const)
      expect((await treeOf(carried({ [name]: new Uint8Array(size) }), few)).blocks, name).to.have.length(2)
    expect(await problemOf(carried({ 'xl/worksheets/other.bin': new Uint8Array(2 ** 20) }), few)).to.include('elements')
  })

  it('are looked at no further than the delimiter of a table is found', async () => {
    const before = process.cpuUsage()
    await treeOf(`${','.repeat(5e6)}\n${','.repeat(5e6)}\n`, usual)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1e6).to.be.below(6)
  })

  it('count together: all parts of a container, and what is attached', async () => {
    const few = { limits: { ...limits, elements: 1000 } }
    const slide = shape('<a:p/>'.repeat(900))
    expect((await treeOf(pptxOf([slide]), few)).blocks).to.deep.equal([])
    expect(await problemOf(pptxOf([slide, slide, slide]), few)).to.include('more than 1000 elements')
  })

  it('are read in little time where marks of notes are looked for in them', async () => {
    const before = process.cpuUsage()
    await treeOf(`# a\n\n- b\n\n${'x\n\n'.repeat(60_000)}[^1]: note`, { limits: { ...limits, elements: 1e6 } })
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1e6).to.be.below(15)
  })
})
