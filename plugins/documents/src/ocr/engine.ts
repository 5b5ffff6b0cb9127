import type { Call } from '@sallyport/core'

/** Pixels row by row from the top left, three bytes each (red, green, blue). */
export interface Raster {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** A line of text on a picture; box in pixels of the upright picture. */
export interface OcrLine {
  readonly text: string
  /** 0..1 */
  readonly confidence: number
  readonly box: { readonly left: number; readonly top: number; readonly width: number; readonly height: number }
}

/** Reads the text on a picture, upright or turned by quarters; lines in reading order. */
export interface OcrEngine {
  read(picture: Raster, call: Call): Promise<OcrLine[]>
  close(): Promise<void>
}
