import { expect } from 'chai'
import { unzipSync, zipSync } from 'fflate'
import { pdfOf } from '@sallyport/stand-ins/pdf'
import { Pdfium } from '../../src/read/pdf/pdfium.js'
import { OwnFailure } from '../../src/problem.js'
import { write } from '../../src/write/index.js'
import { docxOf, odfOf, paragraph } from '../support/office.js'
import { limits, markdownOf, problemOf, treeOf, written } from '../support/read.js'

describe('documents that are made to do harm', function () {
  this.timeout(60_000)

  const rows = 150_000
  for (const [name, content] of [
    ['csv', () => 'a,b\n'.repeat(rows)],
    ['html', () => `<!doctype html><table>${'<tr><td>a<td>b'.repeat(rows)}</table>`],
    [
      'ods',
      () =>
        odfOf(
          'spreadsheet',
          `<table:table table:name="S">${'<table:table-row><table:table-cell><text:p>a</text:p></table:table-cell></table:table-row>'.repeat(rows)}</table:table>`,
        ),
    ],
  ] as const)
    it(`are tables of very many rows, which are written: ${name}`, async () => {
      const tree = await treeOf(content(), { limits: { ...limits, characters: 1e8 } })
      const fragments = write(tree, 'markdown', 1e8)
      expect(fragments.filter(({ pieces: [first] }) => first?.text.startsWith('|')).length).to.be.within(rows, rows + 1)
    })

  it('are pages of very many links to a note, whose notes are found in little time', async () => {
    const count = 8000
    const links = Array.from({ length: count }, (_, index) => `<p>x <a id="r${index}" href="#n">1</a></p>`).join('')
    const back = Array.from({ length: count }, (_, index) => `<a href="#r${index}">back</a> `).join('')
    const before = process.cpuUsage()
    const text = await markdownOf(`<!doctype html>${links}<div id="n">note ${back}</div>`)
    const { user, system } = process.cpuUsage(before)
    expect(text.match(/\[\^1\]/g)).to.have.length(count + 1)
    expect((user + system) / 1e6).to.be.below(5)
  })
})

describe('text that has many ways to be told', function () {
  this.timeout(60_000)
  for (const [name, content] of Object.entries({
    'short comments, and no HTML': `${'<!---->'.repeat(40)}x`,
    'very many comments': `${'<!---->'.repeat(100_000)}x`,
    'declarations without an end': '<?xml '.repeat(100_000),
    'comments without an end': '<!-- '.repeat(100_000),
    'programs without an end': `a\n${'<script '.repeat(100_000)}`,
    'brackets without an end': `a\n${'['.repeat(500_000)}`,
    'marks without an end': `a\n${' **a'.repeat(200_000)}`,
  }))
    it(`is told in little time: ${name}`, async () => {
      const before = process.cpuUsage()
      await treeOf(content).catch(() => undefined)
      const { user, system } = process.cpuUsage(before)
      expect((user + system) / 1e6).to.be.below(5)
    })

  it('is HTML behind comments', async () => {
    const page = '<?xml version="1.0"?>\n<!-- a -- b -->\n<!----> <!doctype html><p>word'
    expect(await markdownOf(page)).to.equal('word\n')
  })
})

describe('a container', () => {
  const claims = [
    { part: 'stored', level: 0, claim: () => 0 },
    { part: 'deflated', level: 6, claim: () => 20 },
    { part: 'deflated', level: 6, claim: (size: number) => size + 1 },
  ] as const
  for (const { part, level, claim } of claims)
    it(`is damaged where a ${part} part claims ${claim(1000)} bytes of 1000`, async () => {
      const bytes = Buffer.from(zipSync(unzipSync(docxOf(paragraph('word'))), { level }))
      expect(await markdownOf(bytes)).to.include('word')
      for (let at = bytes.indexOf('PK\x01\x02'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 4))
        bytes.writeUInt32LE(claim(bytes.readUInt32LE(at + 24)), at + 24)
      expect(await problemOf(bytes)).to.include('its container is damaged')
    })
})

describe('images in an address', () => {
  const image = 'image/png;base64,iVBORw0KGgo='
  for (const scheme of ['data:', 'DATA:', 'Data:', '\n data:'])
    it(`are left out where nobody asked for them: ${JSON.stringify(scheme)}`, async () => {
      const html = `<!doctype html><p>text <img alt="dot" src="${scheme}${image}"></p>`
      const mail = `From: a@example.com\r\nContent-Type: text/html\r\n\r\n${html}`
      for (const content of [html, mail, `# text\n\n![dot](<${scheme.trim()}${image}>)\n\n- item\n- item\n`])
        for (const format of ['markdown', 'html', 'json'] as const) {
          const text = written(await treeOf(content), format)
          expect(text).to.include('text')
          expect(text.toLowerCase()).not.to.include('base64')
        }
    })
})

describe('a PDF that cannot be read to its end', () => {
  const document = pdfOf([[{ text: 'some words', left: 72, top: 100 }], []], { image: true })

  /** Counts calls of PDFium, and makes some of them fail. */
  const watched = async (fail: Record<string, () => number>, task: () => Promise<unknown>) => {
    const native = (await Pdfium.load()).native as unknown as Record<string, (...given: number[]) => number>
    const counts: Record<string, number> = {}
    const saved = Object.entries(native).filter(([name]) => /Page$|^_malloc$|GetUnicode$/.test(name))
    for (const [name, call] of saved)
      native[name] = (...given) => {
        counts[name] = (counts[name] ?? 0) + 1
        return fail[name]?.() ?? call(...given)
      }
    try {
      return {
        counts,
        error: await task().then(
          () => undefined,
          (error: unknown) => error,
        ),
      }
    } finally {
      for (const [name, call] of saved) native[name] = call
    }
  }
  before(() => treeOf(document))

  const failing = () => {
    throw new Error('it does not work')
  }
  for (const [name, fail, ocr] of [
    ['its image', {}, failing],
    ['its text', { _FPDFText_GetUnicode: failing }, () => Promise.resolve([])],
  ] as const)
    it(`leaves no page open: ${name}`, async () => {
      const { counts, error } = await watched(fail, () => treeOf(document, { ocr }))
      expect(error).to.be.instanceOf(Error)
      expect(counts['_FPDF_LoadPage']).to.be.greaterThan(0)
      expect(counts['_FPDF_ClosePage']).to.equal(counts['_FPDF_LoadPage'])
      expect(counts['_FPDFText_ClosePage']).to.equal(counts['_FPDFText_LoadPage'])
    })

  it('is no fault of its own where there is no memory', async () => {
    const { error } = await watched({ _malloc: () => 0 }, () => treeOf(document))
    expect(error).to.be.instanceOf(OwnFailure)
  })
})
