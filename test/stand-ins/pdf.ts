/** The smallest PDF that shows given text. */

export interface Words {
  readonly text: string
  /** Points from the left and from the top. */
  readonly left: number
  readonly top: number
  readonly size?: number
  readonly bold?: boolean
}

export interface PdfOptions {
  readonly rotate?: number
  readonly title?: string
  readonly link?: {
    readonly url: string
    readonly box: readonly [left: number, bottom: number, right: number, top: number]
  }
  /** A grey square on every page. */
  readonly image?: boolean
}

const width = 612
const height = 792

/** Pages of US Letter in Helvetica. */
export const pdfOf = (pages: readonly (readonly Words[])[], options: PdfOptions = {}): Buffer => {
  const objects: string[] = []
  const add = (content: string) => objects.push(content)
  add('<< /Type /Catalog /Pages 2 0 R >>')
  add('')
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>')
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>')
  add(
    stream(
      '/Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8',
      '\x40\x80\xc0\xff',
    ),
  )
  const kids = pages.map((words) => {
    const shown = words.map(
      ({ text, left, top, size = 11, bold }) =>
        `BT /F${bold ? 2 : 1} ${size} Tf ${left} ${height - top - size} Td (${escaped(text)}) Tj ET`,
    )
    const drawn = options.image ? ['q 200 0 0 200 100 400 cm /I Do Q'] : []
    const content = add(stream('', [...shown, ...drawn].join('\n')))
    const note =
      options.link &&
      add(
        `<< /Type /Annot /Subtype /Link /Rect [${options.link.box.join(' ')}] /A << /S /URI /URI (${options.link.url}) >> >>`,
      )
    return add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Rotate ${options.rotate ?? 0} /Contents ${content} 0 R ` +
        `${note ? `/Annots [${note} 0 R] ` : ''}/Resources << /Font << /F1 3 0 R /F2 4 0 R >> /XObject << /I 5 0 R >> >> >>`,
    )
  })
  objects[1] = `<< /Type /Pages /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] /Count ${kids.length} >>`
  const info = options.title === undefined ? undefined : add(`<< /Title (${escaped(options.title)}) >>`)
  return file(objects, info === undefined ? '' : `/Info ${info} 0 R `)
}

const escaped = (text: string) => text.replace(/[\\()]/g, '\\$&')

const stream = (entries: string, content: string) =>
  `<< ${entries} /Length ${content.length} >>\nstream\n${content}\nendstream`

const file = (objects: readonly string[], trailer: string): Buffer => {
  let content = '%PDF-1.7\n'
  const places = objects.map((object, index) => {
    const place = content.length
    content += `${index + 1} 0 obj\n${object}\nendobj\n`
    return place
  })
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const start = content.length
  content += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`
  content += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer}>>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(content, 'latin1')
}

/** Lines below each other. */
export const linesAt = (left: number, top: number, lines: readonly string[], more: Partial<Words> = {}): Words[] =>
  lines.map((text, index) => ({ text, left, top: top + 14 * index, ...more }))
