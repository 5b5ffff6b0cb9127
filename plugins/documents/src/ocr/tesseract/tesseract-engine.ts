import type { Call } from '@sallyport/core'
import type Tesseract from 'tesseract.js'
import type { OcrEngine, QuarterTurns } from '../engine.js'
import type { OcrLine, Raster } from '../../raster.js'
import { checkRaster, rotated } from '../engine.js'
import { contrastOf, pgmFile, greyOf, seemsSideways } from './grey.js'
import type { Grey } from './grey.js'
import { TesseractWorker } from './tesseract-worker.js'

/** Words with less confidence are mostly rules, specks and parts of images. */
const minConfidence = 0.3
/** Tesseract cannot read smaller images. */
const minSide = 3
/** Images with less contrast are blank. */
const minContrast = 16
/** Confidence from which text counts as upright, in the image as it is and in rotated ones. */
const [uprightConfidence, rotatedConfidence] = [0.75, 0.85]

/** Reads English text by Tesseract, which comes with the package, one image at a time. Nothing is downloaded. */
export class TesseractEngine implements OcrEngine {
  private readonly worker = new TesseractWorker()
  private last: Promise<unknown> = Promise.resolve()

  /** @throws RangeError where the data does not have the image's size */
  read(image: Raster, call: Call): Promise<OcrLine[]> {
    const reading = this.last.then(() => this.readNow(image, call))
    this.last = reading.catch(() => undefined)
    return reading
  }

  async close(): Promise<void> {
    await this.worker.end()
  }

  private async readNow(image: Raster, { signal }: Call): Promise<OcrLine[]> {
    signal.throwIfAborted()
    checkRaster(image)
    const grey = greyOf(image)
    if (Math.min(grey.width, grey.height) < minSide || contrastOf(grey) < minContrast) return []
    let best: Reading = { lines: [], score: 0, confidence: 0 }
    for (const quarters of seemsSideways(grey) ? sidewaysFirst : uprightFirst) {
      const reading = await this.readUpright(rotated(grey, quarters), signal)
      if (reading.score > best.score) best = reading
      if (best.confidence >= (quarters === 0 ? uprightConfidence : rotatedConfidence)) break
    }
    return best.lines
  }

  private async readUpright(grey: Grey, signal: AbortSignal): Promise<Reading> {
    const blocks = await this.worker.recognise(pgmFile(grey), signal)
    const lines = blocks.flatMap(({ paragraphs }) => paragraphs.flatMap((paragraph) => paragraph.lines))
    return readingOf(
      lines.map(lineOf).filter(({ text }) => text !== ''),
      lines.flatMap(({ words }) => words),
    )
  }
}

const uprightFirst: readonly QuarterTurns[] = [0, 2, 1, 3]
const sidewaysFirst: readonly QuarterTurns[] = [1, 3, 0, 2]

interface Reading {
  readonly lines: OcrLine[]
  /** The number of characters, weighted by confidence. */
  readonly score: number
  /** The mean over characters. */
  readonly confidence: number
}

/** @param words single letters and punctuation count little, because they may be read in any orientation */
const readingOf = (lines: OcrLine[], words: readonly Tesseract.Word[]): Reading => {
  let [count, sure, score] = [0, 0, 0]
  for (const { text, confidence } of words) {
    const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
    // sideways text gives short words with low confidence
    const weight = letters > 1 ? letters : letters * 0.1
    count += letters > 1 ? letters : 0
    sure += letters > 1 ? (letters * confidence) / 100 : 0
    score += weight * Math.max(0, confidence / 100 - 0.4)
  }
  return { lines, score, confidence: count > 0 ? sure / count : 0 }
}

const lineOf = ({ words, bbox: { x0, y0, x1, y1 } }: Tesseract.Line): OcrLine => {
  const sure = words.filter(({ text, confidence }) => text.trim() !== '' && confidence / 100 >= minConfidence)
  const letters = sure.reduce((sum, { text }) => sum + text.length, 0)
  const weighted = sure.reduce((sum, { text, confidence }) => sum + (text.length * confidence) / 100, 0)
  return {
    text: sure.map(({ text }) => text.trim()).join(' '),
    confidence: letters > 0 ? Math.min(1, Math.max(0, weighted / letters)) : 0,
    box: { left: x0, top: y0, width: Math.max(1, x1 - x0), height: Math.max(1, y1 - y0) },
  }
}
