import { injectable } from '@sallyport/core'
import type { Call, ComparisonDetector, ComparisonInspection, InspectionRequest } from '@sallyport/core'
import { runPaced, Pacer } from '@sallyport/kit/async'
import type { Steps } from '@sallyport/kit/async'
import { append, maxOf, RecentlyUsed } from '@sallyport/kit/lists'
import { plainReading } from '@sallyport/kit/views'
import type { Span } from '@sallyport/kit/views'
import { defaults } from './check.js'
import type { PromptLeakOptions } from './check.js'
import { hiddenIn } from './encoded.js'
import { instructionsOf, occurrences } from './instructions.js'
import type { Instructions } from './instructions.js'
import { lettersOf, reversed, rot13, shortLetters } from './letters.js'
import { Repetitions } from './repeated.js'
import { behind } from '../detection.js'
import { digitsAsLetters } from '../words/folded.js'

/** How often what is hidden is itself looked at for something hidden. */
const maxDepth = 2
/** Letters of a canary that is told by its letters; others have signs that count. */
const minLetters = 8
/** Places at which a canary is reported: an answer that has it is a leak, however often. */
const maxPlaces = 16

/** What a text is searched for. */
interface Query {
  readonly instructions: Instructions | undefined
  readonly canaries: readonly string[]
  readonly options: PromptLeakOptions
  readonly pacer: Pacer
}

/** Something that may be a leak. */
interface Candidate extends Span {
  readonly type: 'canary' | 'instructions'
  /** Words of the instructions; infinitely many of a canary. */
  readonly words: number
}

/** Answers that repeat instructions or canaries, in plain words or in disguise. */
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
    const found = behind(before, await search(before + text, query, 0))
    // Twice as many words as needed are as sure as it gets.
    const scored = found.map((one) => ({ ...one, score: Math.min(1, one.words / (2 * options.words)) }))
    const counted = scored.filter(({ words }) => words >= options.words)
    return {
      findings: counted.map(({ type, start, end, score }) => ({ type, start, end, score })),
      score: maxOf(
        scored.map(({ score }) => score),
        0,
      ),
      explanation: explanationOf(counted),
      detector: 'prompt-leak/1',
      latency: performance.now() - begin,
    }
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
  append(found, await signsIn(text, query))
  const runs = instructions ? await new Repetitions(letters.text, instructions).find(options.words, pacer) : []
  for (const { words, ...span } of runs) found.push({ type: 'instructions', words, ...letters.sourceOf(span) })
  if (depth === maxDepth) return found
  for (const { text: hidden, start, end } of hiddenIn(text)) {
    for (const inside of await search(hidden, query, depth + 1)) found.push({ ...inside, start, end })
    await pacer.pause()
  }
  return found
}

/** Canaries in every form in which letters may stand. */
function* canariesIn(letters: string, { canaries, pacer }: Query): Steps<Span[]> {
  const found: Span[] = []
  for (const canary of canaries) {
    yield
    for (const form of formsOf(canary, pacer.call.tenant)) append(found, placesOf(letters, form))
  }
  return found
}

/** Each text is searched for the same ones. Each tenant has its own: time would tell what others look for. */
const knownForms = new RecentlyUsed<readonly string[]>(4096)

/** A canary as it may stand among letters; none of one that is made of signs. */
const formsOf = (canary: string, tenant: string): readonly string[] =>
  knownForms.getOrMake(JSON.stringify([tenant, canary]), () => {
    const plain = shortLetters(canary)
    if (plain.length < minLetters) return []
    const forms = [plain, rot13(plain), reversed(plain), reversed(rot13(plain))]
    return [...new Set(forms.map(digitsAsLetters))]
  })

const placesOf = (text: string, canary: string): Span[] => {
  const places: Span[] = []
  for (const place of occurrences(text, canary)) {
    if (places.length === maxPlaces) break
    places.push(place)
  }
  return places
}

/** Canaries that are made of signs rather than letters. */
const signsIn = async (text: string, { canaries, pacer }: Query): Promise<Candidate[]> => {
  const ofSigns = canaries.filter((canary) => formsOf(canary, pacer.call.tenant).length === 0)
  if (ofSigns.length === 0) return []
  const plain = await plainReading(text, pacer)
  const found: Candidate[] = []
  for (const canary of ofSigns) {
    await pacer.pause()
    for (const span of [text, plain.text].flatMap((each) => placesOf(each, canary)))
      found.push({ type: 'canary', words: Infinity, ...span })
  }
  return found
}
