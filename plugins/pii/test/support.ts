import { testCall as callOf } from '@sallyport/testing'
import { compileRecognizer } from '../src/matching/compiled.js'
import { PatternSearch } from '../src/matching/pattern-search.js'
import { PiiDetector } from '../src/detector.js'
import { recognizers } from '../src/recognizers/index.js'
import type { Recognizer } from '../src/recognizers/recognizer.js'
import { Substitutes } from '../src/replacement/substitutes.js'

export { callOf }

/** With patterns only. */
export const detectorOf = (
  own: readonly Recognizer[] = recognizers,
  threshold = 0.5,
  key = 'the key of a test',
): PiiDetector => {
  const compiled = own.map(compileRecognizer)
  return new PiiDetector({
    patterns: new PatternSearch({
      recognizers: compiled,
      threshold,
      entities: new Set(own.map(({ entity }) => entity)),
    }),
    substitutes: new Substitutes(Buffer.from(key), compiled),
    threshold,
    ignore: new Set(),
  })
}

/** Compiling all patterns takes longer than reading most texts. */
export const usualDetector = detectorOf()

export const findingsIn = async (text: string, detector = usualDetector) =>
  (await detector.inspect({ text }, callOf())).findings

/** `TYPE text` of each. */
export const described = async (text: string, detector = usualDetector): Promise<string[]> =>
  (await findingsIn(text, detector)).map(({ type, start, end }) => `${type} ${text.slice(start, end)}`)
