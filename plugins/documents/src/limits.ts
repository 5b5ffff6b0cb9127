/** What one document may cost. */
export interface Limits {
  /** Bytes of what a container (docx, epub, …) unpacks to. */
  readonly unpacked: number
  /** Pages of a PDF, pictures of a TIFF. */
  readonly pages: number
  /** Pages and pictures that are read by OCR. */
  readonly ocrPages: number
  /** Of one picture. */
  readonly pixels: number
  /** Paragraphs, cells, tags, values: what it is made of. */
  readonly elements: number
  /** Characters of the contents. */
  readonly characters: number
}
