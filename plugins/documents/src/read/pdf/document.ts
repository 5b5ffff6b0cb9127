import type { Box } from '../../geometry.js'
import { DocumentProblem } from '../../problem.js'
import type { Pdfium } from './pdfium.js'

const passwordNeeded = 4
const unknownProtection = 5

/** An open PDF. */
export class PdfDocument {
  private constructor(
    readonly pdfium: Pdfium,
    readonly handle: number,
    private readonly memory: number,
  ) {}

  /** @throws DocumentProblem, OwnFailure */
  static open(pdfium: Pdfium, bytes: Uint8Array): PdfDocument {
    const { native } = pdfium
    const memory = pdfium.allocate(bytes.length)
    native.HEAPU8.set(bytes, memory)
    const handle = native._FPDF_LoadMemDocument(memory, bytes.length, 0)
    if (handle) return new PdfDocument(pdfium, handle, memory)
    const error = native._FPDF_GetLastError()
    native._free(memory)
    if (error === passwordNeeded || error === unknownProtection)
      throw new DocumentProblem('it is protected with a password: save it without one')
    throw new DocumentProblem('this PDF is damaged or cut off: save or upload it again')
  }

  get pages(): number {
    return this.pdfium.native._FPDF_GetPageCount(this.handle)
  }

  get title(): string {
    const tag = Buffer.from('Title\0')
    return this.pdfium.with(tag.length, (pointer) => {
      this.pdfium.native.HEAPU8.set(tag, pointer)
      return this.pdfium.string('utf-16le', (buffer, size) =>
        this.pdfium.native._FPDF_GetMetaText(this.handle, pointer, buffer, size),
      )
    })
  }

  close(): void {
    this.pdfium.native._FPDF_CloseDocument(this.handle)
    this.pdfium.native._free(this.memory)
  }
}

/** Converts edges in PDF coordinates, with the origin at the bottom left, to boxes of the rotated page. */
export const boxConverter = (turns: number, [left = 0, top = 0, right = 0, bottom = 0]: Iterable<number>) => {
  const point = (x: number, y: number): [number, number] => {
    if (turns === 1) return [y - bottom, x - left]
    if (turns === 2) return [right - x, y - bottom]
    return turns === 3 ? [top - y, right - x] : [x - left, top - y]
  }
  return ([boxLeft = 0, boxTop = 0, boxRight = 0, boxBottom = 0]: Iterable<number>): Box => {
    const [x1, y1] = point(boxLeft, boxBottom)
    const [x2, y2] = point(boxRight, boxTop)
    return { left: Math.min(x1, x2), top: Math.min(y1, y2), width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) }
  }
}
