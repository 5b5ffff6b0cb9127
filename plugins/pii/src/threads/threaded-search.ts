import { Pacer } from '@sallyport/kit/async'
import { SharedThreads } from '@sallyport/kit/threads'
import type { Rows } from '@sallyport/kit/threads'
import type { OpenSpan } from '@sallyport/core'
import type { CallContext, PatternSearch, SearchRequest } from '../matching/pattern-search.js'
import type { FindingWithKind } from '../matching/neighbours.js'
import type { PatternJob, PatternSetup } from './module.js'
import { unpackFindings, unpackSpans } from './packed.js'
import type { PackedFindings } from './packed.js'

/** A pattern search that processes long texts in a thread. */
export class ThreadedSearch implements Pick<PatternSearch, 'find' | 'openSpans'> {
  private readonly threads: SharedThreads<PatternSetup, PatternJob, unknown>

  constructor(
    private readonly here: PatternSearch,
    setup: PatternSetup,
  ) {
    this.threads = new SharedThreads(new URL('./module.js', import.meta.url), setup)
  }

  find(request: SearchRequest, call: CallContext): Promise<FindingWithKind[]> {
    return this.threads.run({ method: 'find', request }, request, call, {
      here: () => this.here.find(request, call),
      unpack: (packed) => unpackFindings(packed as PackedFindings, new Pacer(call)),
    })
  }

  openSpans(request: Omit<SearchRequest, 'before'>, call: CallContext): Promise<OpenSpan[]> {
    return this.threads.run({ method: 'openSpans', request: { ...request, before: '' } }, request, call, {
      here: () => this.here.openSpans(request, call),
      unpack: (packed) => unpackSpans(packed as Rows, new Pacer(call)),
    })
  }

  close(): Promise<void> {
    return this.threads.close()
  }
}
