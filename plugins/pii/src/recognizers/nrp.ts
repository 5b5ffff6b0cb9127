import { wordTrie } from '../patterns/words.js'
import { raw } from '../patterns/raw-regex.js'
import { occupations } from '../words/names.js'
import { wordsOf } from '../words/lists.js'
import type { Recognizer } from './recognizer.js'
import data from './nrp.json' with { type: 'json' }

const { nationalities, beliefs, politics } = data
const groups = `${wordTrie(wordsOf(nationalities, beliefs, politics))}s?`

/** Nationalities, religions and politics of people, but not of things such as a German car. */
export const nrp: Recognizer = {
  entity: 'NRP',
  patterns: [
    {
      regex: raw.iu`(?<![\p{L}\p{N}])(?<lead>(?:I am|I'm|we are|we're|you are|he is|he's|she is|she's|they are|they're|is|was|were|as|being|identif(?:y|ies) as|converted to|born|half|nationality:?(?: is)?|citizenship:?(?: is)?|religion:?(?: is)?|ethnicity:?(?: is)?) (?:an? )?(?:devout |practi[cs]ing |proud )?)${groups}(?![\p{L}\p{N}]| (?:action|film|movie|food|car|wine|word|restaurant|cuisine|company|language|brand|dish|style|version))`,
      score: 0.6,
    },
    {
      regex: raw.iu`(?<![\p{L}\p{N}])${groups}(?<trail>[ -](?:man|men|woman|women|boy|girl|citizens?|nationals?|immigrants?|refugees?|people|person|community|communities|family|families|couple|husband|wife|descent|origin|heritage|ancestry|patient|student|worker|${occupations})(?![\p{L}]))`,
      score: 0.9,
    },
  ],
  validate: (match) =>
    /^\p{Lu}/u.test(match) ||
    !/^(?:conservative|liberal|republican|democrat|socialist|communist|orthodox|labour|roma|polish)s?$/i.test(match),
  invalidInContext: false,
  ...data.recognizer,
}
