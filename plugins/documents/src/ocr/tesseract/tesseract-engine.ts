import type { Call } from '@sallyport/core'
import type Tesseract from 'tesseract.js'
import type { OcrEngine, Quarters } from '../engine.js'
import type { OcrLine, Raster } from '../../raster.js'
import { checkRaster, turned } from '../engine.js'
import { contrastOf, greyFile, greyOf, seemsSideways } from './grey.js'
import type { Grey } from './grey.js'
import { TesseractWorker } from './tesseract-worker.js'

/** Words that are read with less are mostly lines, specks and parts of images. */
const leastConfidence = 0.3
/** Tesseract reads nothing that is smaller. */
const leastSide = 3
/** Less is paper. */
const leastContrast = 16
/** Text that is upright is read with more confidence than this; what is turned first has to be surer. */
const [upright, uprightTurned] = [0.75, 0.85]

/** English text by Tesseract, which comes with the package: nothing is fetched. One image at a time. */
export class TesseractEngine implements OcrEngine {
  private readonly worker = new TesseractWorker()
  private last: Promise<unknown> = Promise.resolve()

  /** @throws RangeError where the bytes are not those of the size */
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
    if (Math.min(grey.width, grey.height) < leastSide || contrastOf(grey) < leastContrast) return []
    let best: Reading = { lines: [], score: 0, confidence: 0 }
    for (const quarters of seemsSideways(grey) ? sideways : upwards) {
      const reading = await this.readUpright(turned(grey, quarters), signal)
      if (reading.score > best.score) best = reading
      if (best.confidence >= (quarters === 0 ? upright : uprightTurned)) break
    }
    return best.lines
  }

  private async readUpright(grey: Grey, signal: AbortSignal): Promise<Reading> {
    const blocks = await this.worker.recognise(greyFile(grey), signal)
    const lines = blocks.flatMap(({ paragraphs }) => paragraphs.flatMap((paragraph) => paragraph.lines))
    return readingOf(
      lines.map(lineOf).filter(({ text }) => text !== ''),
      lines.flatMap(({ words }) => words),
    )
  }
}

const upwards: readonly Quarters[] = [0, 2, 1, 3]
const sideways: readonly Quarters[] = [1, 3, 0, 2]

interface Reading {
  readonly lines: OcrLine[]
  /** How many characters were read, and how surely. */
  readonly score: number
  /** The mean of the characters. */
  readonly confidence: number
}

/** @param words all of them; single letters and punctuation say little of which way up they are */
const readingOf = (lines: OcrLine[], words: readonly Tesseract.Word[]): Reading => {
  let [count, sure, score] = [0, 0, 0]
  for (const { text, confidence } of words) {
    const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
    // what is read of text that lies on its side is short and unsure
    const weight = letters > 1 ? letters : letters * 0.1
    count += letters > 1 ? letters : 0
    sure += letters > 1 ? (letters * confidence) / 100 : 0
    score += weight * Math.max(0, confidence / 100 - 0.4)
  }
  return { lines, score, confidence: count > 0 ? sure / count : 0 }
}

const lineOf = ({ words, bbox }: Tesseract.Line): OcrLine => {
  const sure = words.filter(({ text, confidence }) => text.trim() !== '' && confidence / 100 >= leastConfidence)
  const letters = sure.reduce((sum, { text }) => sum + text.length, 0)
  const weighted = sure.reduce((sum, { text, confidence }) => sum + (text.length * confidence) / 100, 0)
  return {
    text: sure.map(({ text }) => text.trim()).join(' '),
    confidence: letters > 0 ? Math.min(1, Math.max(0, weighted / letters)) : 0,
    box: {
      left: bbox.x0,
      top: bbox.y0,
      width: Math.max(1, bbox.x1 - bbox.x0),
      height: Math.max(1, bbox.y1 - bbox.y0),
    },
  }
}
