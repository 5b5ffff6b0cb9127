import { expect } from 'chai'
import {
  cell,
  docxOf,
  line,
  odfOf,
  paragraph,
  pptxOf,
  relations,
  shape,
  wordPart,
  wordStyles,
  xlsxOf,
} from '../support/office.js'
import { markdownOf, treeOf, written } from '../support/read.js'

const numbering = wordPart(
  'numbering',
  '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:num w:numId="7"><w:abstractNumId w:val="1"/></w:num>',
)
const item = (text: string, level: number) =>
  paragraph(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="7"/></w:numPr>`)
const styled = (style: string, text: string) => paragraph(text, `<w:pStyle w:val="${style}"/>`)
const wordCell = (text: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text)}</w:tc>`

const documents: Readonly<Record<string, readonly [body: string, markdown: string, parts?: Record<string, string>]>> = {
  'headings and marks': [
    styled('Heading1', 'One') +
      '<w:p><w:r><w:t>plain </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>bold</w:t></w:r></w:p>' +
      styled('Heading2', 'Two'),
    '# One\n\nplain **bold**\n\n## Two\n',
  ],
  'lists within lists': [
    item('a', 0) + item('b', 1) + item('c', 0),
    '1. a\n   - b\n2. c\n',
    { 'word/numbering.xml': numbering },
  ],
  'lists that go on after a paragraph': [
    item('a', 0) + paragraph('between') + item('b', 0),
    '1. a\n\nbetween\n\n2. b\n',
    { 'word/numbering.xml': numbering },
  ],
  links: [
    '<w:p><w:hyperlink r:id="l"><w:r><w:t>there</w:t></w:r></w:hyperlink></w:p>',
    '[there](https://example.org/a)\n',
    { 'word/_rels/document.xml.rels': relations({ l: ['hyperlink', 'https://example.org/a', true] }) },
  ],
  footnotes: [
    '<w:p><w:r><w:t>said</w:t></w:r><w:r><w:footnoteReference w:id="5"/></w:r></w:p>',
    'said[^1]\n\n[^1]: by whom\n',
    { 'word/footnotes.xml': wordPart('footnotes', `<w:footnote w:id="5">${paragraph('by whom')}</w:footnote>`) },
  ],
  'links in notes, whose part has addresses of its own': [
    '<w:p><w:r><w:t>said</w:t></w:r><w:r><w:footnoteReference w:id="5"/></w:r><w:r><w:endnoteReference w:id="5"/></w:r></w:p>',
    'said[^1][^2]\n\n[^1]: [there](https://example.org/foot)\n[^2]: [there](https://example.org/end)\n',
    {
      'word/_rels/document.xml.rels': relations({ l: ['hyperlink', 'https://example.org/other', true] }),
      ...Object.fromEntries(
        ['foot', 'end'].flatMap((kind) => [
          [
            `word/${kind}notes.xml`,
            wordPart(
              `${kind}notes`,
              `<w:${kind}note w:id="5"><w:p><w:hyperlink r:id="l"><w:r><w:t>there</w:t></w:r></w:hyperlink></w:p></w:${kind}note>`,
            ),
          ],
          [`word/_rels/${kind}notes.xml.rels`, relations({ l: ['hyperlink', `https://example.org/${kind}`, true] })],
        ]),
      ),
    },
  ],
  programs: [styled('SourceCode', 'if (a)') + styled('SourceCode', '  b()'), '```\nif (a)\n  b()\n```\n'],
  tables: [
    `<w:tbl><w:tr>${wordCell('a|b')}${wordCell('c')}</w:tr><w:tr>${wordCell('d')}${wordCell('e')}</w:tr></w:tbl>`,
    '| a\\|b | c |\n| --- | --- |\n| d | e |\n',
  ],
  'merged cells': [
    `<w:tbl><w:tr>${wordCell('wide', '<w:gridSpan w:val="2"/>')}${wordCell('high', '<w:vMerge w:val="restart"/>')}</w:tr><w:tr>${wordCell('a')}${wordCell('b')}${wordCell('', '<w:vMerge/>')}</w:tr></w:tbl>`,
    '<table>\n<tr><th colspan="2">wide</th><th rowspan="2">high</th></tr>\n<tr><td>a</td><td>b</td></tr>\n</table>\n',
  ],
  'text boxes, and what was deleted': [
    `<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:t>kept</w:t><w:pict><w:txbxContent>${paragraph('boxed')}</w:txbxContent></w:pict></w:r></w:p>`,
    'kept\n\nboxed\n',
  ],
  equations: [
    '<w:p><m:oMath><m:r><m:t>A=π</m:t></m:r><m:sSup><m:e><m:r><m:t>r</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></w:p>',
    'A=πr²\n',
  ],
}

describe('a docx', () => {
  for (const [name, [body, markdown, parts = {}]] of Object.entries(documents))
    it(`keeps ${name}`, async () => {
      expect(await markdownOf(docxOf(body, { 'word/styles.xml': wordStyles, ...parts }))).to.equal(markdown)
    })

  it('has the title of its properties, else the paragraph that is styled so', async () => {
    const core = '<cp:coreProperties xmlns:cp="c" xmlns:dc="d"><dc:title>Told</dc:title></cp:coreProperties>'
    const body = styled('Title', 'Shown')
    expect((await treeOf(docxOf(body, { 'word/styles.xml': wordStyles, 'docProps/core.xml': core }))).title).to.equal(
      'Told',
    )
    expect((await treeOf(docxOf(body, { 'word/styles.xml': wordStyles }))).title).to.equal('Shown')
  })

  it('has what runs over and under its pages once, before and after the text', async () => {
    const reference = (kind: string, id: string, type: string) => `<w:${kind}Reference w:type="${type}" r:id="${id}"/>`
    const sections = ['', '<w:titlePg/>'].map(
      (more) =>
        `<w:sectPr>${reference('header', 'h', 'default')}${reference('header', 'f', 'first')}${reference('header', 'e', 'even')}${reference('footer', 'b', 'default')}${more}</w:sectPr>`,
    )
    const parts = {
      'word/_rels/document.xml.rels': relations({
        ...{ h: ['header', 'header1.xml'], f: ['header', 'header2.xml'], e: ['header', 'header3.xml'] },
        b: ['footer', 'footer1.xml'],
      }),
      'word/header1.xml': wordPart('hdr', paragraph('Letterhead')),
      'word/header2.xml': wordPart('hdr', paragraph('First page')),
      'word/header3.xml': wordPart('hdr', paragraph('Even pages')),
      'word/footer1.xml': wordPart('ftr', paragraph('12')),
    }
    const body = (section: string) => `${paragraph('text')}<w:p><w:pPr>${sections[0]}</w:pPr></w:p>${section}`
    expect(await markdownOf(docxOf(body(sections[0]!), parts))).to.equal('Letterhead\n\ntext\n')
    expect(await markdownOf(docxOf(body(sections[1]!), parts))).to.equal('Letterhead\n\nFirst page\n\ntext\n')
    const settings = { 'word/settings.xml': wordPart('settings', '<w:evenAndOddHeaders/>') }
    expect(await markdownOf(docxOf(body(''), { ...parts, ...settings }))).to.include('Even pages')
  })

  it('keeps images where they are asked for', async () => {
    const body =
      '<w:p><w:r><w:drawing><wp:docPr xmlns:wp="p" descr="A cat"/><a:blip xmlns:a="a" r:embed="p"/></w:drawing></w:r></w:p>'
    const parts = {
      'word/_rels/document.xml.rels': relations({ p: ['image', 'media/cat.png'] }),
      'word/media/cat.png': new Uint8Array([1, 2, 3]),
    }
    expect(await markdownOf(docxOf(body, parts))).to.equal('![A cat]()\n')
    expect(await markdownOf(docxOf(body, parts), { embedImages: true })).to.equal(
      '![A cat](data:image/png;base64,AQID)\n',
    )
  })
})

describe('an xlsx', () => {
  it('is a heading and a table for each sheet that shows something, merged cells included', async () => {
    const rows = `<sheetData><row r="2">${cell('B2', 'Wide')}</row><row r="4">${cell('B4', 'x')}<c r="C4"><v>1.5</v></c></row></sheetData><mergeCells><mergeCell ref="B2:C2"/></mergeCells>`
    expect(await markdownOf(xlsxOf({ Numbers: rows, Empty: '<sheetData/>' }))).to.equal(
      '# Numbers\n\n<table>\n<tr><th colspan="2">Wide</th></tr>\n<tr><td>x</td><td>1.5</td></tr>\n</table>\n',
    )
  })

  it('does not write the empty cells that a sheet claims to have', async () => {
    const rows = `<dimension ref="A1:XFD1048576"/><sheetData><row r="1">${cell('A1', 'only')}</row></sheetData><mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>`
    expect(await markdownOf(xlsxOf({ S: rows }))).to.equal('# S\n\n| only |\n| --- |\n')
  })
})

describe('a pptx', () => {
  it('is its slides, the title first', async () => {
    const bullets = line('one') + line('two', '<a:pPr lvl="1"/>')
    const tree = await treeOf(pptxOf([shape(bullets, 'body') + shape(line('First'), 'title'), shape(line('free'))]))
    expect(written(tree, 'markdown')).to.equal('## First\n\n- one\n  - two\n\nfree\n')
    expect(tree.blocks.map(({ page }) => page)).to.deep.equal([1, 1, 2])
    expect(tree.title).to.equal('First')
  })

  it('numbers a list from 1 where bullets come before it', async () => {
    const numbered = '<a:pPr><a:buAutoNum type="arabicPeriod"/></a:pPr>'
    const lines = line('a') + line('b') + line('first', numbered) + line('second', numbered)
    expect(await markdownOf(pptxOf([shape(lines, 'body')]))).to.equal('- a\n- b\n\n1. first\n2. second\n')
  })

  it('keeps tables with merged cells, charts and what is grouped', async () => {
    const table = `<p:graphicFrame><a:tbl><a:tr><a:tc gridSpan="2"><a:txBody>${line('wide')}</a:txBody></a:tc><a:tc hMerge="1"/></a:tr></a:tbl></p:graphicFrame>`
    const chart = '<p:graphicFrame><c:chart xmlns:c="c" r:id="k"/></p:graphicFrame>'
    const points = (value: string) => `<c:pt idx="0"><c:v>${value}</c:v></c:pt>`
    const parts = {
      'ppt/slides/_rels/slide0.xml.rels': relations({ k: ['chart', '../charts/chart1.xml'] }),
      'ppt/charts/chart1.xml': `<c:chartSpace xmlns:c="c"><c:ser><c:tx>${points('Sales')}</c:tx><c:cat>${points('May')}</c:cat><c:val>${points('7')}</c:val></c:ser></c:chartSpace>`,
    }
    const markdown = await markdownOf(
      pptxOf([`<p:grpSp>${shape(line('in a group'))}</p:grpSp>${table}${chart}`], parts),
    )
    expect(markdown).to.equal(
      'in a group\n\n<table>\n<tr><th colspan="2">wide</th></tr>\n</table>\n\n|  | Sales |\n| --- | --- |\n| May | 7 |\n',
    )
  })
})

describe('an OpenDocument file', () => {
  const styles =
    '<style:style style:name="B" style:family="text"><style:text-properties fo:font-weight="bold" xmlns:fo="f"/></style:style>'
  const texts: Readonly<Record<string, readonly [kind: string, body: string, markdown: string]>> = {
    'headings, marks, links and spaces': [
      'text',
      '<text:h text:outline-level="2">H</text:h><text:p>a<text:s text:c="1"/><text:span text:style-name="B">b</text:span> <text:a xlink:href="https://example.org/">c</text:a></text:p>',
      '## H\n\na **b** [c](https://example.org/)\n',
    ],
    'lists and notes': [
      'text',
      '<text:list><text:list-item><text:p>x<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>n</text:p></text:note-body></text:note></text:p><text:list><text:list-item><text:p>y</text:p></text:list-item></text:list></text:list-item></text:list>',
      '- x[^1]\n  - y\n\n[^1]: n\n',
    ],
    'sheets, without the cells to their edge': [
      'spreadsheet',
      '<table:table table:name="S"><table:table-row><table:table-cell table:number-columns-spanned="2"><text:p>wide</text:p></table:table-cell><table:covered-table-cell/></table:table-row><table:table-row><table:table-cell table:number-columns-repeated="2"><text:p>a</text:p></table:table-cell><table:table-cell table:number-columns-repeated="1020"/></table:table-row><table:table-row table:number-rows-repeated="1048574"><table:table-cell table:number-columns-repeated="1024"/></table:table-row></table:table>',
      '# S\n\n<table>\n<tr><th colspan="2">wide</th></tr>\n<tr><td>a</td><td>a</td></tr>\n</table>\n',
    ],
    slides: [
      'presentation',
      '<draw:page><draw:frame presentation:class="title" xmlns:presentation="p"><draw:text-box><text:p>T</text:p></draw:text-box></draw:frame><draw:frame><draw:text-box><text:p>said</text:p></draw:text-box></draw:frame><presentation:notes xmlns:presentation="p"><draw:frame><draw:text-box><text:p>noted</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>',
      '## T\n\nsaid\n\n> noted\n',
    ],
  }
  it('has what runs over and under the pages of a text', async () => {
    const page = (name: string, header: string) =>
      `<style:master-page style:name="${name}"><style:header><text:p>${header}</text:p></style:header><style:footer><text:p>3</text:p></style:footer></style:master-page>`
    const shared = {
      'styles.xml': `<office:document-styles xmlns:office="o" xmlns:style="s" xmlns:text="t"><office:master-styles>${page('Standard', 'Letterhead')}${page('Unused', 'nowhere')}</office:master-styles></office:document-styles>`,
    }
    expect(await markdownOf(odfOf('text', '<text:p>text</text:p>', '', shared))).to.equal('Letterhead\n\ntext\n')
  })

  for (const [name, [kind, body, markdown]] of Object.entries(texts))
    it(`keeps ${name}`, async () => {
      expect(await markdownOf(odfOf(kind, body, styles))).to.equal(markdown)
    })
})

/** As Microsoft Teams writes them. */
describe('a container that declares types by the endings of its parts', () => {
  const namespace = 'http://schemas.openxmlformats.org/package/2006/content-types'
  const declared = (type: string) => ({
    '[Content_Types].xml': `<Types xmlns="${namespace}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="XML" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`,
  })
  const row = `<sheetData><row r="1">${cell('A1', 'hello')}</row></sheetData>`
  for (const [name, document, shown] of [
    ['docx', docxOf(paragraph('hello'), declared('wordprocessingml.document')), 'hello\n'],
    ['pptx', pptxOf([shape(line('hello'))], declared('presentationml.presentation')), 'hello\n'],
    ['xlsx', xlsxOf({ S: row }, declared('spreadsheetml.sheet')), '# S\n\n| hello |\n| --- |\n'],
  ] as const)
    it(`is read: ${name}`, async () => {
      expect(await markdownOf(document)).to.equal(shown)
    })
})
