import { failure } from '@sallyport/core'
import type {
  Call,
  EmbeddingCapability,
  Finding,
  Inspection,
  InspectionRequest,
  Detector,
  Served,
} from '@sallyport/core'
import { Pacer } from '@sallyport/kit/async'
import { normalised } from '@sallyport/kit/numbers'
import type { Span } from '@sallyport/kit/views'
import type { Subjects, TopicsOptions } from './check.js'
import { background, zScoreOf, subjectOf } from './subjects.js'
import type { Subject } from './subjects.js'
import { withinText, inspectionOf } from '../detection.js'
import { OptionsCache } from '../options-cache.js'

/** The subjects of a policy with the vectors of their examples. */
interface CompiledTopics {
  readonly refused: readonly Subject[]
  readonly allowed: readonly Subject[]
}

/** Texts with fewer letters are not compared. */
const minLetters = 20
/** How many examples of callers' options are kept as vectors, of a few kilobytes each. */
const maxExamples = 8192
/** Texts in one call to the model. */
const batchSize = 32

/** Compares parts of a text with examples of subjects, by an embedding model. */
export class TopicsDetector implements Detector {
  private readonly cache = new OptionsCache<CompiledTopics>(maxExamples, countExamples)
  private backgroundVectors: readonly Float32Array[] | undefined

  /** @param model looked up at each call, as it may be loaded later or again after a crash */
  constructor(private readonly model: () => Served<EmbeddingCapability>) {}

  /** @throws safeguard_unavailable where the options name no subjects; whatever the model throws */
  async inspect({ text, before = '', options }: InspectionRequest, call: Call): Promise<Inspection> {
    call.signal.throwIfAborted()
    const begin = performance.now()
    const subjects = optionsOf(options)
    const whole = lettersIn(text) < minLetters ? before + text : text
    const report = { detector: 'topics/1', begin, introduction: 'has parts about', noFindings: 'only allowed subjects' }
    if (lettersIn(whole) < minLetters) return inspectionOf([], { ...report, reason: 'too short' })
    const topics =
      this.cache.get(subjects, call.tenant) ?? this.cache.set(subjects, call.tenant, await this.compile(subjects, call))
    const windows = windowsOf(whole).filter(({ start, end }) => lettersIn(whole.slice(start, end)) >= minLetters)
    const parts = windows.map(({ start, end }) => whole.slice(start, end))
    const vectors = await this.embed(parts, call)
    const pacer = new Pacer(call)
    const findings: Finding[] = []
    for (const [at, window] of windows.entries()) {
      findings.push(findingOf(window, vectors[at] ?? new Float32Array(), topics))
      await pacer.pause()
    }
    return inspectionOf(withinText(whole.slice(0, whole.length - text.length), findings), report)
  }

  private async compile({ refused = {}, allowed = {} }: TopicsOptions, call: Call): Promise<CompiledTopics> {
    const others = (this.backgroundVectors ??= await this.embed(background, call))
    const compileAll = (subjects: Subjects) => {
      const all = Object.entries(subjects)
      return Promise.all(all.map(async ([name, examples]) => subjectOf(name, await this.embed(examples, call), others)))
    }
    return { refused: await compileAll(refused), allowed: await compileAll(allowed) }
  }

  private async embed(texts: readonly string[], call: Call): Promise<readonly Float32Array[]> {
    const pacer = new Pacer(call)
    const vectors: Float32Array[] = []
    for (let from = 0; from < texts.length; from += batchSize) {
      const inputs = texts.slice(from, from + batchSize).map((text) => ({ text }))
      const embedded = await this.model().embed({ inputs, truncate: 'right' }, call)
      for (const vector of embedded.vectors) vectors.push(normalised(vector))
      await pacer.pause()
    }
    return vectors
  }
}

/** Refuses options without subjects, by which every text would pass. @throws safeguard_unavailable */
const optionsOf = (options: unknown): TopicsOptions => {
  const { refused = {}, allowed = {} } = (options ?? {}) as TopicsOptions
  if (Object.keys(refused).length || Object.keys(allowed).length) return options as TopicsOptions
  throw failure('safeguard_unavailable', { problem: 'the check topics has no subjects: give it refused or allowed' })
}

const countExamples = ({ refused, allowed }: CompiledTopics): number =>
  [...refused, ...allowed].reduce((sum, { vectors }) => sum + vectors.length, 0)

const lettersIn = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0

/** The type of a finding in a part that is about none of the allowed subjects. */
const otherSubject = 'other'

const findingOf = ({ start, end }: Span, vector: Float32Array, topics: CompiledTopics): Finding => {
  const [refused, allowed] = [nearest(vector, topics.refused), nearest(vector, topics.allowed)]
  const otherScore = topics.allowed.length > 0 ? 1 - scoreOf(allowed.zScore, allowedMidpoint) : 0
  // A part that is nearer to an allowed subject is not refused.
  const zScore = Math.min(refused.zScore, refusedMidpoint + refused.zScore - allowed.zScore)
  const refusedScore = scoreOf(zScore, refusedMidpoint)
  return refusedScore >= otherScore
    ? { type: refused.name, start, end, score: refusedScore }
    : { type: otherSubject, start, end, score: otherScore }
}

const nearest = (vector: Float32Array, subjects: readonly Subject[]) =>
  subjects
    .map((subject) => ({ name: subject.name, zScore: zScoreOf(vector, subject) }))
    .reduce((best, one) => (one.zScore > best.zScore ? one : best), { name: otherSubject, zScore: -Infinity })

/**
 * The midpoints of the logistic curves for refused and allowed subjects, where the score is 0.5, and their softness; in
 * standard deviations of the background. Of 1,000 ordinary texts, 2 in 100 reach the midpoint for refused subjects.
 */
const [refusedMidpoint, allowedMidpoint, softness] = [4, 2.5, 0.7]

const scoreOf = (value: number, midpoint: number): number => 1 / (1 + Math.exp((midpoint - value) / softness))

/** The approximate length of a window in UTF-16 code units, and that in a long text: models read some 1,000. */
const [windowLength, longTextWindowLength] = [240, 800]
/** Longer texts count as long, in UTF-16 code units. */
const longTextLength = 32_768

const sentence = /[^\n]{1,400}?(?:[.!?…]["'”’)]*(?=\s|$)|[。！？]|\n|$)|[^\n]{1,400}|\n/gy

/** Joins sentences up to the length of a window; a paragraph ends a window that has at least a third of it. */
const windowsOf = (text: string): readonly Span[] => {
  const minLength = text.length > longTextLength ? longTextWindowLength : windowLength
  const windows: Span[] = []
  let start = 0
  for (const { 0: part, index } of text.matchAll(sentence)) {
    const end = index + part.length
    const isParagraph = part.endsWith('\n') && end - start > minLength / 3
    if (end - start < minLength && !isParagraph) continue
    windows.push({ start, end })
    start = end
  }
  if (start < text.length) windows.push({ start, end: text.length })
  return windows
}
