import type { Box } from '../../geometry.js'
import type { Raster } from '../../raster.js'
import { DocumentProblem } from '../../problem.js'
import { boxConverter } from './document.js'
import type { PdfDocument } from './document.js'
import type { Pdfium } from './pdfium.js'

interface TextStyle {
  /** Font size in points. */
  readonly size: number
  readonly bold: boolean
  /** Whether its text does not run from left to right. */
  readonly rotated: boolean
}

/** A character with its position on the page. */
export interface Character extends TextStyle {
  readonly text: string
  readonly box: Box
}

export interface PageLink {
  readonly url: string
  readonly box: Box
}

// constants of PDFium
const imageObject = 3
const renderAnnotations = 0x01
const reverseByteOrder = 0x10
const bgrFormat = 2

/** Font weight from which text counts as bold. */
const minBoldWeight = 600

/** Max characters of a page: a poster has some ten thousand. */
const maxCharacters = 250_000

/** A page; all positions are in points from the top left of the page as it is shown. */
export class PdfPage {
  readonly width: number
  readonly height: number
  private readonly native: Pdfium['native']
  private readonly handle: number
  private readonly toBox: (edges: Iterable<number>) => Box
  private readonly turns: number
  /** That of the last character, with its text object, whose characters share it. */
  private lastStyle: TextStyle & { readonly object: number } = { object: 0, size: 0, bold: false, rotated: false }

  /** @throws where the page is damaged */
  constructor(
    private readonly document: PdfDocument,
    index: number,
  ) {
    const { native } = document.pdfium
    this.native = native
    this.handle = native._FPDF_LoadPage(document.handle, index)
    if (!this.handle) throw new Error('a page is damaged')
    this.width = native._FPDF_GetPageWidthF(this.handle)
    this.height = native._FPDF_GetPageHeightF(this.handle)
    this.turns = native._FPDFPage_GetRotation(this.handle) & 3
    const bounds = document.pdfium.floats(4, (pointer) => native._FPDF_GetPageBoundingBox(this.handle, pointer))
    this.toBox = boxConverter(this.turns, bounds ?? [0, this.height, this.width, 0])
  }

  /** The characters in the order of the page's content stream. */
  characters(): Character[] {
    const text = this.native._FPDFText_LoadPage(this.handle)
    if (!text) return []
    try {
      const count = this.native._FPDFText_CountChars(text)
      if (count > maxCharacters)
        throw new DocumentProblem(`one of its pages has more than ${maxCharacters} characters: split it`)
      const found: Character[] = []
      for (let index = 0; index < count; index++) {
        const character = this.character(text, index)
        if (character) found.push(character)
      }
      return found
    } finally {
      this.native._FPDFText_ClosePage(text)
    }
  }

  private character(text: number, index: number): Character | undefined {
    const code = this.native._FPDFText_GetUnicode(text, index)
    if (code === 0 || code === 0xfffe || code === 0xffff || code > 0x10ffff) return undefined
    if (this.native._FPDFText_IsGenerated(text, index) === 1 && code !== 2) return undefined
    const box = this.boxOf((pointer) => this.native._FPDFText_GetLooseCharBox(text, index, pointer))
    if (!box) return undefined
    const { size, bold, rotated } = this.styleOf(text, index)
    // PDFium reports a hyphen at the end of a line as the control character 2
    const character = code === 2 ? '\u00ad' : String.fromCodePoint(code)
    return { text: character, box, size: size || box.height, bold, rotated }
  }

  /** The style of a character, cached for its text object. */
  private styleOf(text: number, index: number): TextStyle {
    const object = this.native._FPDFText_GetTextObject(text, index)
    if (object === 0 || object !== this.lastStyle.object) {
      const angle = this.native._FPDFText_GetCharAngle(text, index) + (this.turns * Math.PI) / 2
      this.lastStyle = {
        object,
        size: this.fontSize(text, index),
        bold: this.native._FPDFText_GetFontWeight(text, index) >= minBoldWeight,
        rotated: Math.abs(Math.sin(angle)) > 0.2 || Math.cos(angle) < 0,
      }
    }
    return this.lastStyle
  }

  /** The displayed font size: many programs use a font of 1 point and scale it. */
  private fontSize(text: number, index: number): number {
    const matrix = this.document.pdfium.floats(6, (pointer) => this.native._FPDFText_GetMatrix(text, index, pointer))
    const [, , c = 0, d = 1] = matrix ?? []
    return this.native._FPDFText_GetFontSize(text, index) * Math.hypot(c, d)
  }

  /** Links that lead out of the document. */
  links(): PageLink[] {
    const { pdfium, handle } = this.document
    const links: PageLink[] = []
    let position = 0
    for (let found = 0; found < 10_000; found++) {
      const next = pdfium.integers([position, 0], (at, link) => this.native._FPDFLink_Enumerate(this.handle, at, link))
      if (!next) break
      const [at = 0, link = 0] = next
      position = at
      const action = this.native._FPDFLink_GetAction(link)
      const box = this.boxOf((pointer) => this.native._FPDFLink_GetAnnotRect(link, pointer))
      if (!action || !box) continue
      const url = pdfium.string('utf-8', (buffer, size) =>
        this.native._FPDFAction_GetURIPath(handle, action, buffer, size),
      )
      if (/^(https?|mailto|ftp):/i.test(url)) links.push({ url, box })
    }
    return links
  }

  /** The images of the page; a scanned page is one image. */
  images(): { handle: number; box: Box }[] {
    const found: { handle: number; box: Box }[] = []
    const count = this.native._FPDFPage_CountObjects(this.handle)
    for (let index = 0; index < count; index++) {
      const object = this.native._FPDFPage_GetObject(this.handle, index)
      if (this.native._FPDFPageObj_GetType(object) !== imageObject) continue
      const box = this.boxOf((pointer) =>
        this.native._FPDFPageObj_GetBounds(object, pointer, pointer + 12, pointer + 8, pointer + 4),
      )
      if (box) found.push({ handle: object, box })
    }
    return found
  }

  /** Whether the page has no objects at all. */
  get isEmpty(): boolean {
    return this.native._FPDFPage_CountObjects(this.handle) <= 0
  }

  /** @param scale pixels per point */
  render(scale: number): Raster {
    const width = Math.max(1, Math.round(this.width * scale))
    const height = Math.max(1, Math.round(this.height * scale))
    const bitmap = this.native._FPDFBitmap_CreateEx(width, height, bgrFormat, 0, 0)
    if (!bitmap) throw new Error('no memory for the image of a page')
    try {
      this.native._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff)
      this.native._FPDF_RenderPageBitmap(
        bitmap,
        this.handle,
        0,
        0,
        width,
        height,
        0,
        renderAnnotations | reverseByteOrder,
      )
      return { width, height, data: this.rows(bitmap, width * 3, height) }
    } finally {
      this.native._FPDFBitmap_Destroy(bitmap)
    }
  }

  /** The pixels of an image, in the order blue, green, red; `channels` is the bytes per pixel. */
  image(handle: number): (Raster & { readonly channels: number }) | undefined {
    const bitmap = this.native._FPDFImageObj_GetRenderedBitmap(this.document.handle, this.handle, handle)
    if (!bitmap) return undefined
    try {
      const channels = [0, 1, 3, 4, 4][this.native._FPDFBitmap_GetFormat(bitmap)] ?? 4
      const [width, height] = [this.native._FPDFBitmap_GetWidth(bitmap), this.native._FPDFBitmap_GetHeight(bitmap)]
      return { width, height, data: this.rows(bitmap, width * channels, height), channels }
    } finally {
      this.native._FPDFBitmap_Destroy(bitmap)
    }
  }

  close(): void {
    this.native._FPDF_ClosePage(this.handle)
  }

  private rows(bitmap: number, length: number, height: number): Uint8Array {
    const start = this.native._FPDFBitmap_GetBuffer(bitmap)
    const stride = this.native._FPDFBitmap_GetStride(bitmap)
    const data = new Uint8Array(length * height)
    for (let row = 0; row < height; row++)
      data.set(this.native.HEAPU8.subarray(start + row * stride, start + row * stride + length), row * length)
    return data
  }

  /** Calls a function that writes left, top, right and bottom edges, and converts them; undefined where it fails. */
  private boxOf(call: (pointer: number) => number): Box | undefined {
    const edges = this.document.pdfium.floats(4, call)
    return edges && this.toBox(edges)
  }
}
