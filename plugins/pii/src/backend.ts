import { baseDirectory, home, inject, injectable, kernel, modelSpec } from '@sallyport/core'
import type { Kernel, LoadedModel, ModelBackend, ModelSpec } from '@sallyport/core'
import type { PiiOptions } from './options/index.js'
import type { ThreadedSearch } from './threads/threaded-search.js'

/** The detector of personal information. */
@injectable()
export class PiiBackend implements ModelBackend {
  private search: ThreadedSearch | undefined

  constructor(
    @inject(modelSpec) private readonly spec: ModelSpec<PiiOptions>,
    @inject(kernel) private readonly kernel: Kernel,
    @inject(baseDirectory) private readonly directory: string,
    @inject(home) private readonly home: string,
  ) {}

  async load(): Promise<LoadedModel> {
    // The import is here because every command loads this file, and patterns and word lists take half a second.
    const { openDetector } = await import('./open-detector.js')
    const { loaded, search } = await openDetector(this.spec, this.kernel, this.directory, this.home)
    this.search = search
    return loaded
  }

  async stop(): Promise<void> {
    await this.search?.close()
  }
}
