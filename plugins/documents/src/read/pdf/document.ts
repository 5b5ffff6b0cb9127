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
    const raw = this.pdfium.with(tag.length, (pointer) => {
      this.pdfium.native.HEAPU8.set(tag, pointer)
      return this.pdfium.bytes((buffer, size) =>
        this.pdfium.native._FPDF_GetMetaText(this.handle, pointer, buffer, size),
      )
    })
    return new TextDecoder('utf-16le').decode(raw).replace(/\0/g, '')
  }

  close(): void {
    this.pdfium.native._FPDF_CloseDocument(this.handle)
    this.pdfium.native._free(this.memory)
  }
}
