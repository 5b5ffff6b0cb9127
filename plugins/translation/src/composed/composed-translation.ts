import { append } from '@sallyport/kit/lists'
import { failure, isSallyportError, loggable } from '@sallyport/core'
import type {
  Call,
  LanguagePair,
  Logger,
  TranslationCandidate,
  TranslationCapability,
  TranslationRequest,
  TranslationResult,
} from '@sallyport/core'
import { distinctPairs, findPair, unsupportedPair } from '../pairs.js'
import type { Sanity } from '../sanity/sanity.js'
import type { NamedEngine, Parts } from './parts.js'

/** The pairs that an engine translates now, or the error with which listing them failed. */
interface EnginePairs {
  readonly engine: NamedEngine
  readonly pairs: readonly LanguagePair[]
  readonly error?: unknown
}

/** Errors after which no other engine is asked: the request is refused, was cancelled, or its deadline has passed. */
const finalErrors = new Set(['content_blocked', 'safeguard_unavailable', 'deadline_exceeded', 'client_closed'])

/**
 * Asks engines one after the other until a translation passes the sanity score. The result has the candidates of all
 * engines that were asked.
 */
export class ComposedTranslation implements TranslationCapability {
  constructor(
    private readonly parts: Parts,
    private readonly sanity: Sanity,
    private readonly threshold: number,
    private readonly logger: Logger,
  ) {}

  /** @throws unsupported; what the first engine threw, where all fail */
  async translate(request: TranslationRequest, call: Call): Promise<TranslationResult> {
    const { signal } = call
    signal.throwIfAborted()
    const listed = await this.listPairs(this.enginesFor(request), call)
    const eligible = listed.filter(({ error, pairs }) => error !== undefined || findPair(request, pairs))
    if (eligible.every(({ error }) => error !== undefined)) await this.refuse(request, listed, call)
    const candidates: TranslationCandidate[] = []
    const errors: unknown[] = []
    for (const enginePairs of eligible) {
      const { name } = enginePairs.engine
      try {
        const found = await this.ask(enginePairs, request, call)
        append(candidates, found)
        if (found.some(({ status }) => status === 'success')) break
      } catch (error) {
        rethrowFinal(error, call)
        this.logger.warn({ engine: name, error }, 'an engine failed')
        errors.push(error)
        candidates.push({ translation: '', score: 0, model: name, status: 'failed' })
      }
    }
    if (candidates.every(({ status }) => status === 'failed')) throw errors[0]
    return { candidates: bestFirst(candidates) }
  }

  /** The distinct pairs of all engines that answer. */
  async pairs(_: object, call: Call): Promise<{ pairs: LanguagePair[] }> {
    call.signal.throwIfAborted()
    const listed = await this.listPairs(this.parts.engines, call)
    const pairs = listed.flatMap((one) => one.pairs)
    return { pairs: distinctPairs(pairs).filter((pair) => this.isServed(pair, listed)) }
  }

  private isServed(pair: LanguagePair, listed: readonly EnginePairs[]): boolean {
    const engines = this.enginesFor(pair)
    return listed.some(({ engine, pairs }) => engines.includes(engine) && findPair(pair, pairs))
  }

  private enginesFor({ source, target }: LanguagePair): readonly NamedEngine[] {
    const fits = (rule: string | undefined, tag: string) =>
      rule === undefined || tag === rule || tag.startsWith(`${rule}-`)
    return this.parts.orders.find((order) => fits(order.source, source) && fits(order.target, target))?.engines ?? []
  }

  private listPairs(engines: readonly NamedEngine[], call: Call): Promise<EnginePairs[]> {
    return Promise.all(
      engines.map(async (engine) => {
        try {
          return { engine, ...(await engine.service().pairs({}, call)) }
        } catch (error) {
          rethrowFinal(error, call)
          return { engine, pairs: [], error }
        }
      }),
    )
  }

  /** @throws always: the error of an engine that might have translated the pair, or else unsupported */
  private async refuse(request: TranslationRequest, listed: readonly EnginePairs[], call: Call): Promise<never> {
    const failed = listed.find(({ error }) => error !== undefined)
    if (failed) throw failed.error
    throw unsupportedPair(request, (await this.pairs({}, call)).pairs)
  }

  private async ask({ engine, pairs, error }: EnginePairs, request: TranslationRequest, call: Call) {
    if (error !== undefined) throw error as Error
    const pair = findPair(request, pairs) ?? request
    const { candidates } = await engine.service().translate({ text: request.text, ...pair }, call)
    if (candidates.length === 0)
      throw failure('internal', {}, { cause: loggable(new Error(`${engine.name} returned nothing`)) })
    return Promise.all(candidates.map((candidate) => this.scored(engine, candidate, request, call)))
  }

  private async scored(
    { name }: NamedEngine,
    { translation, status }: TranslationCandidate,
    request: TranslationRequest,
    call: Call,
  ): Promise<TranslationCandidate> {
    if (status !== 'success') return { translation, score: 0, model: name, status }
    const score = await this.sanity.score({ ...request, translation }, call)
    return { translation, score, model: name, status: score >= this.threshold ? 'success' : 'vetoed' }
  }
}

const rethrowFinal = (error: unknown, { signal }: Call): void => {
  signal.throwIfAborted()
  if (isSallyportError(error) && finalErrors.has(error.code)) throw error
}

const rank = { success: 0, vetoed: 1, failed: 2 } as const

/** Candidates that passed come first, in the order of the engines; then the vetoed ones by score; then failures. */
const bestFirst = (candidates: readonly TranslationCandidate[]): TranslationCandidate[] =>
  candidates.toSorted((a, b) =>
    a.status === b.status ? (a.status === 'success' ? 0 : b.score - a.score) : rank[a.status] - rank[b.status],
  )
