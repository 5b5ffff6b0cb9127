import {
  baseDirectory,
  home,
  inject,
  injectable,
  kernel,
  modelOpener,
  modelSpec,
  tokenClassification,
} from '@sallyport/core'
import type { Kernel, LoadedModel, ModelBackend, ModelOpener, ModelSpec } from '@sallyport/core'
import type { TokenClassificationCapability } from '@sallyport/core'
import { ModelChooser } from '@sallyport/kit/models'
import type { PiiOptions } from './options/index.js'
import type { ThreadedSearch } from './threads/threaded-search.js'

/** The detector of personal information. */
@injectable()
export class PiiBackend implements ModelBackend {
  private search: ThreadedSearch | undefined
  private readonly tokenClassifiers: ModelChooser<TokenClassificationCapability>

  constructor(
    @inject(modelSpec) private readonly spec: ModelSpec<PiiOptions>,
    @inject(kernel) private readonly kernel: Kernel,
    @inject(baseDirectory) private readonly directory: string,
    @inject(home) private readonly home: string,
    @inject(modelOpener) opener: ModelOpener,
  ) {
    this.tokenClassifiers = new ModelChooser(tokenClassification, spec, kernel, opener)
  }

  async load(): Promise<LoadedModel> {
    // The import is here because every command loads this file, and patterns and word lists take half a second.
    const { openDetector } = await import('./open-detector.js')
    const { spec, kernel, directory, home, tokenClassifiers } = this
    const { loaded, search } = await openDetector({ spec, kernel, directory, home, tokenClassifiers })
    this.search = search
    return loaded
  }

  async stop(): Promise<void> {
    await this.search?.close()
    await this.tokenClassifiers.stop()
  }
}
