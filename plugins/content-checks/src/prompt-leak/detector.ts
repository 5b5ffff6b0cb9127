import { injectable } from '@sallyport/core'
import type { Call, ComparisonDetector, ComparisonInspection, InspectionRequest } from '@sallyport/core'
import { runPaced, Pacer } from '@sallyport/kit/async'
import type { Steps } from '@sallyport/kit/async'
import { append, maxOf, LruCache } from '@sallyport/kit/lists'
import { originalReading, plainReading } from '@sallyport/kit/views'
import type { Span } from '@sallyport/kit/views'
import { defaults } from './check.js'
import type { PromptLeakOptions } from './check.js'
import { decodedIn } from './encoded.js'
import { instructionsOf, occurrences } from './instructions.js'
import type { Instructions } from './instructions.js'
import { lettersOf, reverse, rot13, shortLetters } from './letters.js'
import { Repetitions } from './repetitions.js'
import { inspectionOf, withinText } from '../detection.js'
import { digitsAsLetters } from '../words/folded.js'

/** How many layers of encoding are undone. */
const maxDepth = 2
/** Canaries with fewer letters are searched as they are, with their symbols. */
const minLetters = 8
/** How many occurrences of a canary are reported: one is enough for a leak. */
const maxOccurrences = 16

/** The instructions and canaries that a text is searched for. */
interface Query {
  readonly instructions: Instructions | undefined
  readonly canaries: readonly string[]
  readonly options: PromptLeakOptions
  readonly pacer: Pacer
}

/** Something that may be a leak. */
interface Candidate extends Span {
  readonly type: 'canary' | 'instructions'
  /** The number of repeated words; Infinity for a canary. */
  readonly words: number
}

/** Finds instructions and canaries that answers repeat, in plain words or in disguise. */
@injectable()
export class PromptLeakDetector implements ComparisonDetector {
  async inspect(request: InspectionRequest, call: Call): Promise<ComparisonInspection> {
    call.signal.throwIfAborted()
    const begin = performance.now()
    const { text, before = '', reference = '' } = request
    const options = { ...defaults, ...(request.options as Partial<PromptLeakOptions> | undefined) }
    const pacer = new Pacer(call)
    const instructions = reference ? await instructionsOf(reference, options.public, pacer) : undefined
    const query = { instructions, canaries: options.canaries, options, pacer }
    const found = withinText(before, await search(before + text, query, 0))
    // The score is 0.5 for as many words as the option says, and 1 for twice as many.
    const scored = found.map(({ words, ...one }) => ({ ...one, score: Math.min(1, words / (2 * options.words)) }))
    const explanation = explanationOf(found.filter(({ words }) => words >= options.words))
    return { ...inspectionOf(scored, { detector: 'prompt-leak/1', begin }), explanation }
  }
}

const explanationOf = (found: readonly Candidate[]): string => {
  if (found.some(({ type }) => type === 'canary')) return 'has a canary'
  if (found.length === 0) return 'nothing found'
  return `repeats ${Math.floor(maxOf(found.map(({ words }) => words)))} words of the instructions`
}

const search = async (text: string, query: Query, depth: number): Promise<Candidate[]> => {
  const { instructions, options, pacer } = query
  const letters = await lettersOf(text, pacer)
  const found: Candidate[] = []
  for (const span of await runPaced(canariesIn(letters.text, query), pacer))
    found.push({ type: 'canary', words: Infinity, ...letters.sourceOf(span) })
  append(found, await symbolCanariesIn(text, query))
  const runs = instructions ? await new Repetitions(letters.text, instructions).find(options.words, pacer) : []
  for (const { words, ...span } of runs) found.push({ type: 'instructions', words, ...letters.sourceOf(span) })
  if (depth === maxDepth) return found
  for (const { text: hidden, start, end } of decodedIn(text)) {
    for (const inside of await search(hidden, query, depth + 1)) found.push({ ...inside, start, end })
    await pacer.pause()
  }
  return found
}

/** Finds canaries in all their forms. */
function* canariesIn(letters: string, { canaries, pacer }: Query): Steps<Span[]> {
  const found: Span[] = []
  for (const canary of canaries) {
    yield
    for (const form of formsOf(canary, pacer.call.tenant)) append(found, occurrences(letters, form, maxOccurrences))
  }
  return found
}

/** Each tenant has its own entries: otherwise the time of an answer would show what others look for. */
const formsCache = new LruCache<readonly string[]>(4096)

/** The forms of a canary in letters: plain, reversed, in ROT13. Empty for one that consists of symbols. */
const formsOf = (canary: string, tenant: string): readonly string[] =>
  formsCache.getOrMake(JSON.stringify([tenant, canary]), () => {
    const plain = shortLetters(canary)
    if (plain.length < minLetters) return []
    const forms = [plain, rot13(plain), reverse(plain), reverse(rot13(plain))]
    return [...new Set(forms.map(digitsAsLetters))]
  })

/** Finds canaries that consist of symbols rather than letters. */
const symbolCanariesIn = async (text: string, { canaries, pacer }: Query): Promise<Candidate[]> => {
  const symbolCanaries = canaries.filter((canary) => formsOf(canary, pacer.call.tenant).length === 0)
  if (symbolCanaries.length === 0) return []
  const plain = await plainReading(text, pacer)
  const found: Candidate[] = []
  for (const canary of symbolCanaries) {
    await pacer.pause()
    for (const view of [originalReading(text), plain])
      for (const span of occurrences(view.text, canary, maxOccurrences))
        found.push({ type: 'canary', words: Infinity, ...view.sourceOf(span) })
  }
  return found
}
