import { Pacer, SharedThreads } from '@sallyport/core'
import type { Call, OpenSpan, Rows } from '@sallyport/core'
import type { PatternSearch, SearchedText } from '../matching/pattern-search.js'
import type { ModelFinding } from '../model/finding.js'
import type { PatternJob, PatternSetup } from './module.js'
import { unpackFindings, unpackSpans } from './packed.js'
import type { PackedFindings } from './packed.js'

type Asking = Pick<Call, 'signal' | 'tenant'>

/** The same search, in a thread where a text is long. */
export class ThreadedSearch implements Pick<PatternSearch, 'find' | 'openSpans'> {
  private readonly threads: SharedThreads<PatternSetup, PatternJob, unknown>

  constructor(
    private readonly here: PatternSearch,
    setup: PatternSetup,
  ) {
    this.threads = new SharedThreads(new URL('./module.js', import.meta.url), setup)
  }

  async find(searched: SearchedText, call: Asking): Promise<ModelFinding[]> {
    if (!this.threads.takes(searched.text)) return this.here.find(searched, call)
    const packed = await this.run({ find: 'findings', searched }, call)
    return unpackFindings(packed as PackedFindings, new Pacer(call))
  }

  async openSpans(searched: Omit<SearchedText, 'before'>, call: Asking): Promise<OpenSpan[]> {
    if (!this.threads.takes(searched.text)) return this.here.openSpans(searched, call)
    const packed = await this.run({ find: 'openSpans', searched: { ...searched, before: '' } }, call)
    return unpackSpans(packed as Rows, new Pacer(call))
  }

  close(): Promise<void> {
    return this.threads.close()
  }

  private run(job: PatternJob, call: Asking): Promise<unknown> {
    return this.threads.run(job, job.searched.text.length + job.searched.before.length, call)
  }
}
