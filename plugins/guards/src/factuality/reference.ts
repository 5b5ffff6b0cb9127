import type { Pacer } from '@sallyport/kit/async'
import type { Span } from '@sallyport/kit/views'
import { comparableInTurns, sentencesOf } from './comparable.js'
import type { ComparedWord } from './comparable.js'

/** A sentence of a reference. */
export interface Part {
  readonly words: readonly ComparedWord[]
  /** UTF-16 units of the reference. */
  readonly start: number
  readonly end: number
  readonly stems: ReadonlySet<string>
  /** Its words as they stand there. */
  readonly known: ReadonlySet<string>
  /** Content words, each once. */
  readonly content: ReadonlySet<string>
}

/** Places of a word that are looked at: what is repeated more often says nothing of where something is said. */
const maxPlaces = 200
/** Sentences with a word that are looked at. */
const maxParts = 1_000
/** Letters with which stems of one root begin, and stems that begin so and are looked at. */
const rootLength = 4
const maxOfRoot = 50

/** What claims are compared with, read once. */
export class Reference {
  readonly places = new Map<string, number[]>()
  readonly words = new Set<string>()
  readonly pairs = new Set<string>()
  readonly triples = new Set<string>()
  /** Content words, each once. */
  readonly content = new Set<string>()
  readonly parts: Part[] = []
  private readonly roots = new Map<string, string[]>()
  private readonly partsOf = new Map<string, number[]>()

  private constructor() {}

  static async read(text: string, pacer: Pacer): Promise<Reference> {
    const words = await comparableInTurns(text, pacer)
    const reference = new Reference()
    for (const [at, word] of words.entries()) {
      reference.addWord(words, at, word)
      if (at % 512 === 0) await pacer.pause()
    }
    const sentences = sentencesOf(text)
    for (const sentence of sentences) {
      reference.addPart(await comparableInTurns(sentence.text, pacer), sentence)
      await pacer.pause()
    }
    if (sentences.length === 0) reference.addPart(words, { start: 0, end: text.length })
    return reference
  }

  has(stem: string): boolean {
    return this.places.has(stem)
  }

  /** Stems that begin like another one. */
  beginningLike(stem: string): readonly string[] {
    return this.roots.get(stem.slice(0, rootLength)) ?? []
  }

  /** The sentence that has most of some weighted stems; the first of equal ones. */
  best(stems: readonly string[], weights: readonly number[]): { index: number; gain: number } {
    const gains = new Map<number, number>()
    for (const [at, stem] of stems.entries())
      for (const part of this.partsOf.get(stem) ?? []) gains.set(part, (gains.get(part) ?? 0) + (weights[at] ?? 0))
    let best = { index: 0, gain: gains.get(0) ?? 0 }
    for (const [index, gain] of gains)
      if (gain > best.gain || (gain === best.gain && index < best.index)) best = { index, gain }
    return best
  }

  private addWord(words: readonly ComparedWord[], at: number, { word, stem, content }: ComparedWord): void {
    const [second, third] = [words[at + 1]?.stem, words[at + 2]?.stem]
    const places = this.places.get(stem)
    if (!places) this.addStem(stem, at)
    else if (places.length < maxPlaces) places.push(at)
    this.words.add(word)
    if (content) this.content.add(word)
    if (second === undefined) return
    this.pairs.add(`${stem} ${second}`)
    if (third !== undefined) this.triples.add(`${stem} ${second} ${third}`)
  }

  private addStem(stem: string, at: number): void {
    this.places.set(stem, [at])
    const root = stem.slice(0, rootLength)
    const alike = this.roots.get(root)
    if (!alike) this.roots.set(root, [stem])
    else if (alike.length < maxOfRoot) alike.push(stem)
  }

  private addPart(words: readonly ComparedWord[], { start, end }: Span): void {
    const stems = new Set(words.map(({ stem }) => stem))
    for (const stem of stems) {
      const parts = this.partsOf.get(stem)
      if (!parts) this.partsOf.set(stem, [this.parts.length])
      else if (parts.length < maxParts) parts.push(this.parts.length)
    }
    const known = new Set(words.map(({ word }) => word))
    const content = new Set(words.flatMap((word) => (word.content ? [word.word] : [])))
    this.parts.push({ start, end, words, stems, known, content })
  }
}

/** A reference that was read for a tenant. */
interface RecentReference {
  readonly tenant: string
  readonly text: string
  readonly reference: Reference
}

/** Answers that may be under way side by side, each with its own. */
const maxRecent = 8

/**
 * References that were read lately: the sentences of an answer are compared with the same one, each by itself. Each tenant
 * has its own, for how fast an answer comes would tell what others have sent.
 */
export class RecentReferences {
  /** The latest first. Held weakly: what a caller has said does not stay in memory. */
  private known: readonly WeakRef<RecentReference>[] = []

  async read(text: string, pacer: Pacer): Promise<Reference> {
    const { tenant } = pacer.call
    const known = this.find(text, tenant)
    if (known) return known.reference
    const read = { tenant, text, reference: await Reference.read(text, pacer) }
    this.known = [new WeakRef(read), ...this.known].slice(0, maxRecent)
    return read.reference
  }

  private find(text: string, tenant: string): RecentReference | undefined {
    for (const held of this.known) {
      const read = held.deref()
      if (read?.text !== text || read.tenant !== tenant) continue
      this.known = [held, ...this.known.filter((other) => other !== held)]
      return read
    }
    return undefined
  }
}
