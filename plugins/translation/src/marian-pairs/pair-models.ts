import { failure, isSallyportError, translation } from '@sallyport/core'
import type { Kernel, LanguagePair, Logger, ModelOpener, Served, TranslationCapability } from '@sallyport/core'
import { Slots } from '@sallyport/kit/async'
import { OpenedPair } from './opened-pair.js'
import type { MarianPairsOptions } from './options.js'

/** Seconds after which a pair that could not be had is tried again. */
const patience = 60

/** Pairs in memory besides, for tenants that have asked for none of those there: others may use theirs for ever. */
const reserve = 1

/** Fetches and loads the models of pairs when they are used, and stops those that are not. */
export class PairModels {
  private readonly opened = new Map<string, OpenedPair>()
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
   * Uses the model of a pair. Whoever asks first has it fetched; that goes on when nobody waits for it any more. Where as
   * many pairs are in use as may be in memory, it waits until one of them is not; tenants take turns.
   * @param wait for something that takes long; throws when the request is outputNamed up
   * @throws model_unavailable where it cannot be had; what `use` and `wait` throw
   */
  async with<Result>(
    pair: LanguagePair,
    tenant: string,
    wait: (opening: Promise<Kernel>) => Promise<Kernel>,
    use: (service: Served<TranslationCapability>) => Promise<Result>,
  ): Promise<Result> {
    const opened = this.open(pair, tenant)
    opened.users += 1
    this.closeUnused()
    try {
      const kernel = await wait(opened.kernel)
      return await use(kernel.get(translation, this.model))
    } finally {
      opened.users -= 1
      opened.usedAt = performance.now()
      this.closeUnused()
    }
  }

  async stop(): Promise<void> {
    this.stopping.abort(failure('not_ready', { state: 'draining' }))
    const all = [...this.opened.values()]
    this.opened.clear()
    await Promise.all(all.map((opened) => opened.close()))
  }

  private open(pair: LanguagePair, tenant: string): OpenedPair {
    const name = `${pair.source} to ${pair.target}`
    const known = this.opened.get(name)
    if (known) return known
    if (performance.now() - (this.failedAt.get(name) ?? -Infinity) < patience * 1000) throw this.unavailable(name)
    const opened = new OpenedPair(this.slots, tenant, () =>
      this.start(pair, name).catch((error: unknown) => {
        if (this.stopping.signal.aborted) throw error
        this.giveUp(name, opened, error)
        throw this.unavailable(name)
      }),
    )
    this.opened.set(name, opened)
    return opened
  }

  private async start(pair: LanguagePair, name: string): Promise<Kernel> {
    // It begins when the pair is known by its name.
    await Promise.resolve()
    this.logger.info({ pair: name }, 'the models of a pair are fetched and loaded')
    return this.opener.open(this.modelsOf(pair), this.stopping.signal)
  }

  private giveUp(name: string, opened: OpenedPair, error: unknown): void {
    // It may have been put out since, and another one be in its place.
    if (this.opened.get(name) === opened) {
      this.opened.delete(name)
      this.failedAt.set(name, performance.now())
    }
    void opened.close()
    const problem = isSallyportError(error) ? { problem: error.message } : { error }
    this.logger.error({ pair: name, ...problem }, 'the models of a pair cannot be had')
  }

  private modelsOf({ source, target }: LanguagePair) {
    const { repository, encoder, decoder, beams, lengthPenalty, batch } = this.options
    const place = repository.replaceAll('{source}', source).replaceAll('{target}', target)
    const [first, second] = [`${this.model}-encoder`, `${this.model}-decoder`]
    return {
      [first]: { backend: 'onnx', source: `${place}/${encoder}` },
      [second]: { backend: 'onnx', source: `${place}/${decoder}` },
      [this.model]: {
        backend: 'marian',
        source: place,
        options: { encoder: first, decoder: second, sources: [source], targets: [target], beams, lengthPenalty, batch },
      },
    }
  }

  private closeUnused(): void {
    const unused = [...this.opened].filter(([, { users }]) => users === 0)
    const oldest = unused.sort(([, one], [, other]) => one.usedAt - other.usedAt)
    for (const [name, opened] of oldest.slice(0, Math.max(0, this.opened.size - this.options.loaded))) {
      this.opened.delete(name)
      void opened.close()
    }
  }

  private unavailable(pair: string) {
    const problem = `its files for ${pair} cannot be had or loaded; the log says why`
    return failure('model_unavailable', { model: this.model, problem }, { retryAfter: patience })
  }
}
