import { expect } from 'chai'
import sharp from 'sharp'
import { pdfOf } from '@sallyport/stand-ins/pdf'
import { cell, docxOf, epubOf, odfOf, paragraph, pptxOf, relations, xlsxOf, zipOf } from '../support/office.js'
import { markdownOf, problemOf } from '../support/read.js'

const ole = (name: string) =>
  Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.alloc(2000),
    Buffer.from(name, 'utf16le'),
    Buffer.alloc(2000),
  ])
const image = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: 'white' } })

const refused: Readonly<
  Record<string, readonly [content: () => Uint8Array | string | Promise<Uint8Array>, problem: string]>
> = {
  'an empty file': [() => '', 'the file is empty'],
  'bytes that are nothing': [
    () => Buffer.from(Array.from({ length: 3000 }, (_, at) => (at * 89 + 7) % 256)),
    'no document of a format that can be read',
  ],
  'an archive': [() => zipOf({ 'a.txt': 'a' }), 'unpack it'],
  'a packed file': [() => Buffer.from('1f8b0800000000000003', 'hex'), 'unpack it'],
  'a program': [() => Buffer.from('\x7fELF\x02\x01'), 'this is a program'],
  'an image that is not asked for': [() => image(9, 9).png().toBuffer(), 'enableOCR'],
  'an image of another kind': [() => Buffer.from('GIF89a\0\0\0\0'), 'save it as png'],
  'an encrypted docx': [() => ole('EncryptedPackage'), 'protected with a password'],
  'an old file of Word': [() => ole('WordDocument'), 'save it as docx'],
  'an old file of Excel': [() => ole('Workbook'), 'save it as xlsx'],
  'a container of nothing': [() => ole('Nothing'), 'save the document as docx'],
  'an encrypted odt': [
    () => odfOf('text', '', '', { 'META-INF/manifest.xml': '<manifest:encryption-data/>' }),
    'protected with a password',
  ],
  'an archive that unpacks to too much': [
    () => zipOf({ '[Content_Types].xml': 'x', bomb: new Uint8Array(65 * 2 ** 20) }),
    'looks like an attack',
  ],
  'an archive of too many files': [
    () => zipOf(Object.fromEntries(Array.from({ length: 20_001 }, (_, at) => [`f${at}`, '']))),
    'more than 20000 files',
  ],
  'entities in a docx': [() => docxOf('&lol;'), 'damaged'],
  'entities in xml': [
    () => '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><l>&b;</l>',
    'declares entities',
  ],
  'entities that a docx declares': [
    () =>
      docxOf('', {
        'word/document.xml': '<!DOCTYPE l [<!ENTITY a SYSTEM "file:///etc/passwd">]><document>&a;</document>',
      }),
    'declares entities',
  ],
  'an rtf that is cut off': [() => '{\\rtf1 text {\\b bold', 'cut off'],
  'a docx without its main part': [
    () =>
      zipOf({
        '[Content_Types].xml':
          '<Types><Override PartName="/word/document.xml" ContentType="wordprocessingml"/></Types>',
        '_rels/.rels': relations({ main: ['officeDocument', 'word/document.xml'] }),
      }),
    'its main part is missing',
  ],
  'a book without contents': [() => zipOf({ mimetype: 'application/epub+zip' }), 'its list of contents is missing'],
  'a PDF that is none': [() => Buffer.from('%PDF-1.7\n\0\0 and nothing more'), 'this PDF is damaged'],
  'elements within each other without end': [
    () => `<?xml version="1.0"?>${'<a>'.repeat(5000)}x${'</a>'.repeat(5000)}`,
    'not well-formed',
  ],
}

const whole: Readonly<Record<string, () => Uint8Array>> = {
  docx: () => docxOf(paragraph('text '.repeat(500))),
  xlsx: () => xlsxOf({ S: `<sheetData><row r="1">${cell('A1', 'text')}</row></sheetData>` }),
  pptx: () => pptxOf(['']),
  odt: () => odfOf('text', '<text:p>text</text:p>'),
  epub: () => epubOf(['<html><p>text']),
}

describe('a file that cannot be read', () => {
  for (const [name, [content, problem]] of Object.entries(refused))
    it(`is refused: ${name}`, async () => {
      expect(await problemOf(await content())).to.include(problem)
    })

  for (const [name, content] of Object.entries(whole))
    it(`is refused: a ${name} that is cut off`, async () => {
      const bytes = content()
      for (const share of [0.1, 0.5, 0.95])
        expect(await problemOf(bytes.subarray(0, Math.floor(bytes.length * share)))).to.match(/damaged|cut off/)
    })

  it('is refused, or read as far as it goes: a PDF that is cut off', async () => {
    const bytes = pdfOf([[{ text: 'Word', left: 72, top: 72 }]])
    expect(await problemOf(bytes.subarray(0, 200))).to.include('this PDF is damaged')
    expect(await markdownOf(bytes.subarray(0, bytes.length - 8))).to.equal('Word\n')
  })

  for (const format of ['png', 'jpeg', 'webp', 'tiff'] as const)
    it(`is refused: a ${format} that is cut off, or has too many pixels`, async () => {
      const ocr = () => Promise.resolve([])
      const noise = await sharp(Buffer.from(Array.from({ length: 30_000 }, (_, at) => (at * 7919) % 251)), {
        raw: { width: 100, height: 100, channels: 3 },
      })
        .toFormat(format)
        .toBuffer()
      expect(await problemOf(noise.subarray(0, noise.length / 2), { ocr })).to.include('damaged')
      expect(await problemOf(await image(2001, 2001).toFormat(format).toBuffer(), { ocr })).to.include(
        'at most 4 million',
      )
    })

  for (const [name, html] of Object.entries({
    html: '<html>' + '<div>'.repeat(50_000) + 'x',
    markdown: '# t\n\n' + '>'.repeat(20_000) + ' x',
    lists: '<html>' + '<ul><li>'.repeat(20_000) + 'x',
  }))
    it(`is read or refused, and nothing else: ${name} nested without end`, async () => {
      const outcome = await markdownOf(html).catch((error: unknown) => (error as Error).message)
      expect(outcome).to.match(/x|nested too deeply/)
    })
})
