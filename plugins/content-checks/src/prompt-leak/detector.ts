import { injectable } from '@sallyport/core'
import type {
  Call,
  ComparisonDetector,
  ComparisonInspection,
  Finding,
  InspectionRequest,
  OpenSpan,
} from '@sallyport/core'
import { paced, Pacer } from '@sallyport/kit/async'
import type { Steps } from '@sallyport/kit/async'
import { append, RecentlyUsed } from '@sallyport/kit/lists'
import { plainReading } from '@sallyport/kit/views'
import { defaults } from './check.js'
import type { PromptLeakOptions } from './check.js'
import { hiddenIn } from './encoded.js'
import { instructionsOf, occurrences } from './instructions.js'
import type { Instructions } from './instructions.js'
import { asLetters, lettersOf, reversed, rot13, shortLetters } from './letters.js'
import { Repetitions } from './repeated.js'
import type { Run } from './repeated.js'

/** How often what is hidden is itself looked at for something hidden. */
const deepest = 2
/** Letters of a canary that is told by its letters; others have signs that count. */
const fewestLetters = 8

/** What is looked for. */
interface Sought {
  readonly instructions: Instructions | undefined
  readonly canaries: readonly string[]
  readonly options: PromptLeakOptions
  readonly pacer: Pacer
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
    const sought = { instructions, canaries: options.canaries, options, pacer }
    const found = behind(before.length, await search(before + text, sought, 0))
    return inspectionOf(found, options.words, begin)
  }
}

/** Something that may be a leak. */
interface Candidate {
  readonly type: 'canary' | 'instructions'
  readonly start: number
  readonly end: number
  /** Of the instructions; a canary has as many as it needs. */
  readonly words: number
}

const search = async (text: string, sought: Sought, depth: number): Promise<Candidate[]> => {
  const letters = await lettersOf(text, sought.pacer)
  const found: Candidate[] = []
  for (const { start, end } of await paced(canariesIn(letters.text, sought), sought.pacer))
    found.push({ type: 'canary', words: Infinity, ...letters.sourceOf(start, end) })
  append(found, await signsIn(text, sought))
  for (const { start, end, words } of await runsIn(letters.text, sought))
    found.push({ type: 'instructions', words, ...letters.sourceOf(start, end) })
  if (depth === deepest) return found
  for (const { text: hidden, start, end } of hiddenIn(text)) {
    for (const inside of await search(hidden, sought, depth + 1)) found.push({ ...inside, start, end })
    await sought.pacer.pause()
  }
  return found
}

const runsIn = (letters: string, { instructions, options, pacer }: Sought): Promise<readonly Run[]> =>
  instructions ? new Repetitions(letters, instructions).find(options.words, pacer) : Promise.resolve([])

/** Canaries in every form in which letters may stand. */
function* canariesIn(letters: string, { canaries, pacer }: Sought): Steps<OpenSpan[]> {
  const found: OpenSpan[] = []
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
    if (plain.length < fewestLetters) return []
    const forms = [plain, rot13(plain), reversed(plain), reversed(rot13(plain))]
    return [...new Set(forms.map(asLetters))]
  })

/** Places at which a canary is reported: an answer that has it is a leak, however often. */
const mostPlaces = 16

const placesOf = (text: string, canary: string): OpenSpan[] => {
  const places: OpenSpan[] = []
  for (const place of occurrences(text, canary)) {
    if (places.length === mostPlaces) break
    places.push(place)
  }
  return places
}

/** Canaries that are made of signs rather than letters. */
const signsIn = async (text: string, { canaries, pacer }: Sought): Promise<Candidate[]> => {
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

/** Of what stands before the text nothing is reported. */
const behind = (offset: number, found: readonly Candidate[]): Candidate[] =>
  found
    .filter(({ end }) => end > offset)
    .map((one) => ({ ...one, start: Math.max(0, one.start - offset), end: one.end - offset }))

/** Twice as many words as needed are as sure as it gets. */
const scoreOf = ({ words }: Candidate, enough: number): number => Math.min(1, words / (2 * enough))

const inspectionOf = (found: readonly Candidate[], enough: number, begin: number): ComparisonInspection => {
  const counted = found.filter(({ words }) => words >= enough)
  const findings: Finding[] = counted.map((one) => ({
    type: one.type,
    start: one.start,
    end: one.end,
    score: scoreOf(one, enough),
  }))
  return {
    findings,
    score: found.reduce((most, one) => Math.max(most, scoreOf(one, enough)), 0),
    explanation: explanationOf(counted),
    detector: 'prompt-leak/1',
    latency: performance.now() - begin,
  }
}

const explanationOf = (found: readonly Candidate[]): string => {
  if (found.some(({ type }) => type === 'canary')) return 'has a canary'
  const longest = found.reduce((most, { words }) => Math.max(most, words), 0)
  return longest ? `repeats ${Math.floor(longest)} words of the instructions` : 'nothing found'
}
