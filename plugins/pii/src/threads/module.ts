/** The module of a thread that searches long texts for the patterns of one detector. */

import type { Rows, ThreadModule } from '@sallyport/kit/threads'
import { readRecognizers } from '../custom/index.js'
import type { PiiOptions } from '../options/index.js'
import { compileRecognizer } from '../matching/compiled.js'
import type { Search } from '../matching/find.js'
import { PatternSearch, warmUp } from '../matching/pattern-search.js'
import type { SearchedText } from '../matching/pattern-search.js'
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
  readonly find: 'findings' | 'openSpans'
  readonly searched: SearchedText
}

const tenant = ''

const module: ThreadModule<PatternSetup, PatternJob, PackedFindings | Rows> = async ({
  customRecognizers,
  directory,
  ...rest
}) => {
  const all = [...recognizers, ...(await readRecognizers(customRecognizers, directory))].map(compileRecognizer)
  const search = new PatternSearch({ ...rest, recognizers: all })
  await warmUp(search, all)
  return async ({ find, searched }, { signal }) =>
    find === 'findings'
      ? packFindings(await search.find(searched, { signal, tenant }))
      : packSpans(await search.openSpans(searched, { signal, tenant }))
}

export default module
