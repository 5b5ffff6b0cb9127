import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { childEnvironment } from '@sallyport/kit/processes'
import { failure, inject, injectable, logger, modelSpec, provide, translation } from '@sallyport/core'
import type { Call, LoadedModel, Logger, ModelBackend, ModelSpec } from '@sallyport/core'
import { EngineTranslation } from '../engine.js'
import type { Engine } from '../engine.js'
import { Sanity } from '../sanity/sanity.js'
import { modesIn } from './modes.js'
import type { Mode } from './modes.js'
import type { ApertiumOptions } from './options.js'
import { PipelineError } from './pipeline.js'
import type { Pipeline } from './pipeline.js'
import { PipelinePool } from './pool.js'

type Spec = ModelSpec<ApertiumOptions>

/** The timeout for listing pairs, in milliseconds. */
const listTimeout = 20_000

/** The pairs that Apertium has installed. @throws model_invalid where the program or its pairs are missing */
const installedModes = async ({ id, options: { program } }: Spec): Promise<Mode[]> => {
  const options = { timeout: listTimeout, env: childEnvironment(process.env) }
  const { stdout } = await promisify(execFile)(program, ['-l'], options).catch((cause: unknown) => {
    const problem = `it needs the program ${program}: install it (Debian: apt-get install apertium, and a package for each pair)`
    throw failure('model_invalid', { model: id, problem, option: ['program'] }, { cause })
  })
  const modes = modesIn(stdout)
  if (modes.length > 0) return modes
  const problem = `${program} has no pairs: install some (Debian: apt-get install apertium-eng-spa, and others)`
  throw failure('model_invalid', { model: id, problem, option: ['program'] })
}

/** For `sallyport check`. @throws model_invalid */
export const checkApertium = async (spec: Spec): Promise<void> => {
  if (!spec.options.optional) await installedModes(spec)
}

/** Translates with the Apertium of the system, in pipelines of processes. */
@injectable()
export class ApertiumBackend implements ModelBackend {
  private pool: PipelinePool | undefined

  constructor(
    @inject(modelSpec) private readonly spec: Spec,
    @inject(logger) private readonly logger: Logger,
  ) {}

  async load(): Promise<LoadedModel> {
    const { id, options } = this.spec
    const modes = await installedModes(this.spec).catch((error: unknown) => {
      if (!options.optional) throw error
      this.logger.warn({ error }, 'there is no Apertium: the model translates nothing')
      return []
    })
    this.pool = new PipelinePool(options)
    const engine = new ApertiumEngine(id, modes, this.pool, options)
    return { provides: [provide(translation, new EngineTranslation(id, engine, await Sanity.load()))] }
  }

  stop(): Promise<void> {
    this.pool?.close()
    return Promise.resolve()
  }
}

class ApertiumEngine implements Engine<Mode> {
  readonly maxLength = 2000
  readonly joinsSentences = true

  constructor(
    private readonly model: string,
    readonly pairs: readonly Mode[],
    private readonly pool: PipelinePool,
    private readonly options: Pick<ApertiumOptions, 'data' | 'timeout'>,
  ) {}

  translate(units: readonly string[], { name }: Mode, call: Call): Promise<string[]> {
    const path = join(this.options.data, 'modes', `${name}.mode`)
    return this.pool.use(path, call, (pipeline) => this.translateInTime(pipeline, units, call.signal))
  }

  private async translateInTime(pipeline: Pipeline, units: readonly string[], signal: AbortSignal): Promise<string[]> {
    const late = AbortSignal.timeout(this.options.timeout * 1000)
    try {
      return await pipeline.translate(units, AbortSignal.any([signal, late]))
    } catch (cause) {
      signal.throwIfAborted()
      if (!late.aborted && !(cause instanceof PipelineError)) throw cause
      const problem = late.aborted ? 'it took too long' : 'it ended before its answer'
      throw failure('model_unavailable', { model: this.model, problem }, { cause })
    }
  }
}
