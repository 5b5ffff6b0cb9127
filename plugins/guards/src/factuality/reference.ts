import type { Pacer } from '@sallyport/kit/async'
import { originalReading } from '@sallyport/kit/views'
import type { Span, View } from '@sallyport/kit/views'
import { comparedWordsPaced, sentencesOf, valuesIn } from './compared-words.js'
import type { ComparedWord } from './compared-words.js'
import { readingOf } from './reading.js'

export interface ReferenceSentence {
  readonly words: readonly ComparedWord[]
  /** The span in UTF-16 code units of the reference as it is read. */
  readonly start: number
  readonly end: number
  readonly stems: ReadonlySet<string>
  /** The words in lower case. */
  readonly wordSet: ReadonlySet<string>
  /** Content words, each once. */
  readonly contentWords: ReadonlySet<string>
  /** Numbers that have a unit, units that have a number, and both: `11`, `kilogram`, `11 kilogram`. */
  readonly values: ReadonlySet<string>
}

/** How many positions of a word are kept: more frequent words do not show where something is said. */
const maxPositions = 200
/** How many sentences with a word are kept. */
const maxSentences = 1_000
/** The number of first letters that stems of one root share, and how many such stems are kept. */
const rootLength = 4
const maxStemsPerRoot = 50

/** A reference, indexed for the comparison with claims. */
export class Reference {
  readonly positions = new Map<string, number[]>()
  readonly wordSet = new Set<string>()
  readonly bigrams = new Set<string>()
  readonly trigrams = new Set<string>()
  /** Content words, each once. */
  readonly contentWords = new Set<string>()
  readonly sentences: ReferenceSentence[] = []
  private readonly roots = new Map<string, string[]>()
  private readonly sentencesByStem = new Map<string, number[]>()

  private constructor(
    readonly source: string,
    private readonly view: View,
  ) {}

  static async read(source: string, pacer: Pacer, view: View = originalReading(source)): Promise<Reference> {
    const { text } = view
    const words = await comparedWordsPaced(text, pacer)
    const reference = new Reference(source, view)
    for (const [at, word] of words.entries()) {
      reference.addWord(words, at, word)
      if (at % 512 === 0) await pacer.pause()
    }
    const sentences = sentencesOf(text)
    for (const sentence of sentences) {
      reference.addSentence(await comparedWordsPaced(sentence.text, pacer), sentence)
      await pacer.pause()
    }
    if (sentences.length === 0) reference.addSentence(words, { start: 0, end: text.length })
    return reference
  }

  /** The text as it is read. */
  get text(): string {
    return this.view.text
  }

  /** The span of a sentence in the source. */
  sourceOf({ start, end }: Span): Span {
    return this.view.sourceOf({ start, end })
  }

  has(stem: string): boolean {
    return this.positions.has(stem)
  }

  /** Stems that begin with the same letters as another one. */
  stemsLike(stem: string): readonly string[] {
    return this.roots.get(stem.slice(0, rootLength)) ?? []
  }

  /** The sentence with the highest total weight of the stems; the first among equals. */
  best(stems: readonly string[], weights: readonly number[]): { index: number; coveredWeight: number } {
    const weightBySentence = new Map<number, number>()
    for (const [at, stem] of stems.entries())
      for (const sentence of this.sentencesByStem.get(stem) ?? [])
        weightBySentence.set(sentence, (weightBySentence.get(sentence) ?? 0) + (weights[at] ?? 0))
    let best = { index: 0, coveredWeight: weightBySentence.get(0) ?? 0 }
    for (const [index, coveredWeight] of weightBySentence)
      if (coveredWeight > best.coveredWeight || (coveredWeight === best.coveredWeight && index < best.index))
        best = { index, coveredWeight }
    return best
  }

  private addWord(words: readonly ComparedWord[], at: number, { word, stem, isContent }: ComparedWord): void {
    const [second, third] = [words[at + 1]?.stem, words[at + 2]?.stem]
    const positions = this.positions.get(stem)
    if (!positions) this.addStem(stem, at)
    else if (positions.length < maxPositions) positions.push(at)
    this.wordSet.add(word)
    if (isContent) this.contentWords.add(word)
    if (second === undefined) return
    this.bigrams.add(`${stem} ${second}`)
    if (third !== undefined) this.trigrams.add(`${stem} ${second} ${third}`)
  }

  private addStem(stem: string, at: number): void {
    this.positions.set(stem, [at])
    const root = stem.slice(0, rootLength)
    const alike = this.roots.get(root)
    if (!alike) this.roots.set(root, [stem])
    else if (alike.length < maxStemsPerRoot) alike.push(stem)
  }

  private addSentence(words: readonly ComparedWord[], { start, end }: Span): void {
    const stems = new Set(words.map(({ stem }) => stem))
    for (const stem of stems) {
      const parts = this.sentencesByStem.get(stem)
      if (!parts) this.sentencesByStem.set(stem, [this.sentences.length])
      else if (parts.length < maxSentences) parts.push(this.sentences.length)
    }
    const wordSet = new Set(words.map(({ word }) => word))
    const contentWords = new Set(words.flatMap((word) => (word.isContent ? [word.word] : [])))
    const values = new Set(valuesIn(words).flatMap(({ number, unit }) => [number, unit, `${number} ${unit}`]))
    this.sentences.push({ start, end, words, stems, wordSet, contentWords, values })
  }
}

interface RecentReference {
  readonly tenant: string
  /** Weak, so that texts of callers do not stay in memory. */
  readonly reference: WeakRef<Reference>
}

/** How many references are remembered, for concurrent answers. */
const maxRecent = 8

/**
 * Finds recent references again until they are collected as garbage: the sentences of an answer are inspected one by one
 * against the same one. Each tenant has its own: otherwise the time of an answer would show what others have sent.
 */
export class RecentReferences {
  /** The latest first. */
  private recent: readonly RecentReference[] = []

  async read(text: string, pacer: Pacer): Promise<Reference> {
    const { tenant } = pacer.call
    const known = this.find(text, tenant)
    if (known) return known
    const reference = await Reference.read(text, pacer, await readingOf(text, pacer))
    this.recent = [{ tenant, reference: new WeakRef(reference) }, ...this.recent].slice(0, maxRecent)
    return reference
  }

  private find(text: string, tenant: string): Reference | undefined {
    for (const each of this.recent) {
      const reference = each.reference.deref()
      if (reference?.source !== text || each.tenant !== tenant) continue
      this.recent = [each, ...this.recent.filter((other) => other !== each)]
      return reference
    }
    return undefined
  }
}
