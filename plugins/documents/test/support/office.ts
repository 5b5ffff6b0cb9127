/** The smallest files of Office and OpenDocument that hold given content. */

import { strToU8, zipSync } from 'fflate'

export const zipOf = (files: Readonly<Record<string, string | Uint8Array>>): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [name, typeof content === 'string' ? strToU8(content) : content]),
    ),
  )

const typesOf = (part: string, type: string) =>
  `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`

const officeRelations = (part: string) => relations({ main: ['officeDocument', part] })

/** By id: the kind, and the target. */
export const relations = (
  all: Readonly<Record<string, readonly [kind: string, target: string, external?: boolean]>>,
): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${Object.entries(all)
    .map(
      ([id, [kind, target, external]]) =>
        `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${kind}" Target="${target}"${external ? ' TargetMode="External"' : ''}/>`,
    )
    .join('')}</Relationships>`

const word =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'

export const docxOf = (body: string, parts: Readonly<Record<string, string | Uint8Array>> = {}): Uint8Array =>
  zipOf({
    '[Content_Types].xml': typesOf('word/document.xml', 'wordprocessingml.document'),
    '_rels/.rels': officeRelations('word/document.xml'),
    'word/document.xml': `<w:document ${word}><w:body>${body}</w:body></w:document>`,
    ...parts,
  })

/** A part of a docx. */
export const wordPart = (name: string, content: string): string => `<w:${name} ${word}>${content}</w:${name}>`

export const wordStyles = wordPart(
  'styles',
  ['Heading 1', 'Heading 2', 'Title', 'Source Code', 'Quote']
    .map((name) => `<w:style w:styleId="${name.replace(' ', '')}"><w:name w:val="${name}"/></w:style>`)
    .join(''),
)

export const paragraph = (text: string, properties = ''): string =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`

const sheetNames =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'

export const xlsxOf = (
  sheets: Readonly<Record<string, string>>,
  parts: Readonly<Record<string, string | Uint8Array>> = {},
): Uint8Array => {
  const names = Object.keys(sheets)
  return zipOf({
    '[Content_Types].xml': typesOf('xl/workbook.xml', 'spreadsheetml.sheet'),
    '_rels/.rels': officeRelations('xl/workbook.xml'),
    'xl/workbook.xml': `<workbook ${sheetNames}><sheets>${names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="r${index}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      Object.fromEntries(
        names.map((_, index) => [`r${index}`, ['worksheet', `worksheets/sheet${index}.xml`] as const]),
      ),
    ),
    ...Object.fromEntries(
      names.map((name, index) => [
        `xl/worksheets/sheet${index}.xml`,
        `<worksheet ${sheetNames}>${sheets[name]}</worksheet>`,
      ]),
    ),
    ...parts,
  })
}

export const cell = (place: string, value: string): string =>
  `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`

const slideNames =
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'

export const pptxOf = (
  slides: readonly string[],
  parts: Readonly<Record<string, string | Uint8Array>> = {},
): Uint8Array =>
  zipOf({
    '[Content_Types].xml': typesOf('ppt/presentation.xml', 'presentationml.presentation'),
    '_rels/.rels': officeRelations('ppt/presentation.xml'),
    'ppt/presentation.xml': `<p:presentation ${slideNames}><p:sldIdLst>${slides.map((_, index) => `<p:sldId id="${index}" r:id="r${index}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      Object.fromEntries(slides.map((_, index) => [`r${index}`, ['slide', `slides/slide${index}.xml`] as const])),
    ),
    ...Object.fromEntries(
      slides.map((shapes, index) => [
        `ppt/slides/slide${index}.xml`,
        `<p:sld ${slideNames}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`,
      ]),
    ),
    ...parts,
  })

export const shape = (paragraphs: string, kind?: string): string =>
  `<p:sp><p:nvSpPr><p:nvPr>${kind === undefined ? '' : `<p:ph type="${kind}"/>`}</p:nvPr></p:nvSpPr><p:txBody>${paragraphs}</p:txBody></p:sp>`

export const line = (text: string, properties = ''): string => `<a:p>${properties}<a:r><a:t>${text}</a:t></a:r></a:p>`

const open = [
  ...['office', 'text', 'table', 'style', 'drawing'].map(
    (name) => `xmlns:${name === 'drawing' ? 'draw' : name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
  ),
  'xmlns:xlink="http://www.w3.org/1999/xlink"',
].join(' ')

/** `kind`: text, spreadsheet or presentation. */
export const odfOf = (
  kind: string,
  body: string,
  styles = '',
  parts: Readonly<Record<string, string>> = {},
): Uint8Array =>
  zipOf({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `<office:document-content ${open}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    ...parts,
  })

export const epubOf = (chapters: readonly string[]): Uint8Array =>
  zipOf({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="book/list.opf"/></rootfiles></container>',
    'book/list.opf': `<package xmlns:dc="urn:dc"><metadata><dc:title>The book</dc:title></metadata><manifest>${chapters
      .map((_, index) => `<item id="c${index}" href="text/c%20${index}.xhtml" media-type="application/xhtml+xml"/>`)
      .join(
        '',
      )}</manifest><spine>${chapters.map((_, index) => `<itemref idref="c${index}"/>`).join('')}</spine></package>`,
    ...Object.fromEntries(chapters.map((chapter, index) => [`book/text/c ${index}.xhtml`, chapter])),
  })
