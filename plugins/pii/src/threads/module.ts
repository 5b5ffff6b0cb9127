/** The module of a thread that searches long texts for the patterns of one detector. */

import type { Rows, ThreadModule } from '@sallyport/kit/threads'
import { readRecognizers } from '../custom/index.js'
import type { PiiOptions } from '../options/index.js'
import { compileRecognizer } from '../matching/compiled.js'
import type { Search } from '../matching/find.js'
import { PatternSearch, warmUp } from '../matching/pattern-search.js'
import type { SearchRequest } from '../matching/pattern-search.js'
import { recognizers } from '../recognizers/index.js'
import { packFindings, packSpans } from './packed.js'
import type { PackedFindings } from './packed.js'

/** The configuration of a detector, as recognisers cannot be sent to a thread. */
export interface PatternSetup extends Omit<Search, 'recognizers'> {
  readonly customRecognizers: PiiOptions['recognizers']
  /** Where relative paths of the configuration start. */
  readonly directory: string
}

export interface PatternJob {
  readonly method: 'find' | 'openSpans'
  readonly request: SearchRequest
}

const tenant = ''

const module: ThreadModule<PatternSetup, PatternJob, PackedFindings | Rows> = async (setup) => {
  const custom = await readRecognizers(setup.customRecognizers, setup.directory)
  const all = [...recognizers, ...custom].map(compileRecognizer)
  const search = new PatternSearch({ ...setup, recognizers: all })
  await warmUp(search, all)
  return async ({ method, request }, { signal }) =>
    method === 'find'
      ? packFindings(await search.find(request, { signal, tenant }))
      : packSpans(await search.openSpans(request, { signal, tenant }))
}

export default module
