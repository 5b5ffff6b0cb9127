import { failure, isSallyportError, translation } from '@sallyport/core'
import type { Kernel, LanguagePair, Logger, ModelOpener, Served, TranslationCapability } from '@sallyport/core'
import { Slots, untilAborted } from '@sallyport/kit/async'
import type { Requester } from '@sallyport/kit/async'
import { OpenPair } from './open-pair.js'
import type { MarianPairsOptions } from './options.js'

/** Seconds after which a pair that could not be loaded is tried again. */
const retryAfter = 60

/** Additional pairs in memory, for tenants without any: others may use theirs for ever. */
const reserve = 1

/** Fetches and loads the models of pairs on demand, and stops those that are not used. */
export class PairModels {
  private readonly openPairs = new Map<string, OpenPair>()
  private readonly failedAt = new Map<string, number>()
  private readonly stopping = new AbortController()
  private readonly slots: Slots

  constructor(
    private readonly model: string,
    private readonly options: MarianPairsOptions,
    private readonly opener: ModelOpener,
    private readonly logger: Logger,
  ) {
    this.slots = new Slots(options.loaded, Infinity, { reserve })
  }

  /**
   * Uses the model of a pair. The first request starts its fetching, which goes on when nobody waits any more. Where
   * all pairs in memory are in use, it waits until one of them is not; tenants take turns.
   * @throws model_unavailable where the models cannot be loaded; the signal's reason; what `work` throws
   */
  async use<Result>(
    pair: LanguagePair,
    { signal, tenant }: Requester,
    work: (service: Served<TranslationCapability>) => Promise<Result>,
  ): Promise<Result> {
    const openPair = this.open(pair, tenant)
    openPair.users += 1
    this.closeUnused()
    try {
      const kernel = await untilAborted(openPair.kernel, signal)
      return await work(kernel.get(translation, this.model))
    } finally {
      openPair.users -= 1
      openPair.usedAt = performance.now()
      this.closeUnused()
    }
  }

  async stop(): Promise<void> {
    this.stopping.abort(failure('not_ready', { state: 'draining' }))
    const all = [...this.openPairs.values()]
    this.openPairs.clear()
    await Promise.all(all.map((openPair) => openPair.close()))
  }

  private open(pair: LanguagePair, tenant: string): OpenPair {
    const name = `${pair.source} to ${pair.target}`
    const known = this.openPairs.get(name)
    if (known) return known
    if (performance.now() - (this.failedAt.get(name) ?? -Infinity) < retryAfter * 1000) throw this.unavailable(name)
    const openPair = new OpenPair(this.slots, tenant, () =>
      this.start(pair, name).catch((error: unknown) => {
        if (this.stopping.signal.aborted) throw error
        this.giveUp(name, openPair, error)
        throw this.unavailable(name)
      }),
    )
    this.openPairs.set(name, openPair)
    return openPair
  }

  private async start(pair: LanguagePair, name: string): Promise<Kernel> {
    // Loading must begin after `open` has registered the pair.
    await Promise.resolve()
    this.logger.info({ pair: name }, 'the models of a pair are fetched and loaded')
    return this.opener.open(this.modelsOf(pair), this.stopping.signal)
  }

  private giveUp(name: string, openPair: OpenPair, error: unknown): void {
    // The pair may have been closed since, and opened again.
    if (this.openPairs.get(name) === openPair) {
      this.openPairs.delete(name)
      this.failedAt.set(name, performance.now())
    }
    void openPair.close()
    const problem = isSallyportError(error) ? { problem: error.message } : { error }
    this.logger.error({ pair: name, ...problem }, 'the models of a pair cannot be loaded')
  }

  private modelsOf({ source, target }: LanguagePair) {
    const { repository, encoder, decoder, beams, lengthPenalty, batch } = this.options
    const search = { beams, lengthPenalty, batch }
    const place = repository.replaceAll('{source}', source).replaceAll('{target}', target)
    const [encoderId, decoderId] = [`${this.model}-encoder`, `${this.model}-decoder`]
    return {
      [encoderId]: { backend: 'onnx', source: `${place}/${encoder}` },
      [decoderId]: { backend: 'onnx', source: `${place}/${decoder}` },
      [this.model]: {
        backend: 'marian',
        source: place,
        options: { encoder: encoderId, decoder: decoderId, sources: [source], targets: [target], ...search },
      },
    }
  }

  private closeUnused(): void {
    const unused = [...this.openPairs].filter(([, { users }]) => users === 0)
    const oldest = unused.sort(([, one], [, other]) => one.usedAt - other.usedAt)
    for (const [name, openPair] of oldest.slice(0, Math.max(0, this.openPairs.size - this.options.loaded))) {
      this.openPairs.delete(name)
      void openPair.close()
    }
  }

  private unavailable(pair: string) {
    const problem = `its files for ${pair} cannot be fetched or loaded; the log says why`
    return failure('model_unavailable', { model: this.model, problem }, { retryAfter })
  }
}
