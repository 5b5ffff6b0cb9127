/** Prints for every vocabulary with known tokens how many texts become just these. */

import { parseArgs } from 'node:util'
import { alignColumns } from '@sallyport/kit/text'
import { ModelStore } from '@sallyport/store'
import { compareVocabularies } from './vocabularies.js'
import type { Outcome } from './vocabularies.js'

const usage = `node test/dist/quality/tokenizers.js [options]

  --tokenizers FOLDER  files <vocabulary>.json, each a tokenizer.json, for vocabularies that no known model has
  --help`

const describe = (outcome: Outcome): string[] => {
  if ('skipped' in outcome) return [outcome.vocabulary, 'skipped', outcome.skipped]
  const { vocabulary, passed, total, roundTrips } = outcome
  return [vocabulary, `${passed}/${total}`, `${roundTrips} texts come back from their tokens`]
}

const { values } = parseArgs({ options: { tokenizers: { type: 'string' }, help: { type: 'boolean', default: false } } })
if (values.help) console.log(usage)
else {
  const outcomes = await compareVocabularies(new ModelStore({ offline: true }), values.tokenizers)
  for (const line of alignColumns([['vocabulary', 'passed', ''], ...outcomes.map(describe)])) console.log(line)
  for (const outcome of outcomes) {
    if ('skipped' in outcome) continue
    for (const { text, ids, actual } of outcome.failures)
      console.log(
        `\n${outcome.vocabulary}: ${JSON.stringify(text)}\n  expected ${ids.join(' ')}\n  actual   ${actual.join(' ')}`,
      )
  }
}
