import { Pacer } from '@sallyport/kit/async'
import { SharedThreads } from '@sallyport/kit/threads'
import type { Rows } from '@sallyport/kit/threads'
import type { Call, OpenSpan } from '@sallyport/core'
import type { PatternSearch, SearchedText } from '../matching/pattern-search.js'
import type { FindingWithKind } from '../matching/neighbours.js'
import type { PatternJob, PatternSetup } from './module.js'
import { unpackFindings, unpackSpans } from './packed.js'
import type { PackedFindings } from './packed.js'

type CallContext = Pick<Call, 'signal' | 'tenant'>

/** A pattern search that processes long texts in a thread. */
export class ThreadedSearch implements Pick<PatternSearch, 'find' | 'openSpans'> {
  private readonly threads: SharedThreads<PatternSetup, PatternJob, unknown>

  constructor(
    private readonly here: PatternSearch,
    setup: PatternSetup,
  ) {
    this.threads = new SharedThreads(new URL('./module.js', import.meta.url), setup)
  }

  find(searched: SearchedText, call: CallContext): Promise<FindingWithKind[]> {
    return this.threads.run({ find: 'findings', searched }, searched, call, {
      here: () => this.here.find(searched, call),
      unpack: (packed) => unpackFindings(packed as PackedFindings, new Pacer(call)),
    })
  }

  openSpans(searched: Omit<SearchedText, 'before'>, call: CallContext): Promise<OpenSpan[]> {
    return this.threads.run({ find: 'openSpans', searched: { ...searched, before: '' } }, searched, call, {
      here: () => this.here.openSpans(searched, call),
      unpack: (packed) => unpackSpans(packed as Rows, new Pacer(call)),
    })
  }

  close(): Promise<void> {
    return this.threads.close()
  }
}
