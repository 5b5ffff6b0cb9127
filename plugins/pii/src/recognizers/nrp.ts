import { oneOf } from '../patterns/one-of.js'
import type { Recognizer } from './recognizer.js'

const nationalities =
  'Afghan|Albanian|Algerian|American|Angolan|Argentine|Argentinian|Armenian|Australian|Austrian|Azerbaijani|Bangladeshi|Belarusian|Belgian|Bolivian|Bosnian|Brazilian|British|Bulgarian|Cambodian|Cameroonian|Canadian|Chilean|Chinese|Colombian|Congolese|Croatia|Croatian|Cuban|Cypriot|Czech|Danish|Dominican|Dutch|Ecuadorian|Egyptian|English|Eritrean|Estonian|Ethiopian|Filipino|Filipina|Finnish|French|Georgian|German|Ghanaian|Greek|Guatemalan|Haitian|Honduran|Hungarian|Icelandic|Indian|Indonesian|Iranian|Iraqi|Irish|Israeli|Italian|Ivorian|Jamaican|Japanese|Jordanian|Kazakh|Kenyan|Korean|Kurdish|Kuwaiti|Latvian|Lebanese|Libyan|Lithuanian|Malaysian|Mexican|Moldovan|Mongolian|Moroccan|Nepalese|Nepali|Nigerian|Norwegian|Pakistani|Palestinian|Peruvian|Polish|Portuguese|Qatari|Romanian|Roma|Russian|Rwandan|Saudi|Scottish|Senegalese|Serbian|Singaporean|Slovak|Slovenian|Somali|Spanish|Sudanese|Swedish|Swiss|Syrian|Taiwanese|Tanzanian|Thai|Tunisian|Turkish|Ugandan|Ukrainian|Uruguayan|Uzbek|Venezuelan|Vietnamese|Welsh|Yemeni|Zambian|Zimbabwean|Latino|Latina|Latinx|Hispanic|African-American|African American|Asian-American|Asian American|Arab|Caucasian'
const beliefs =
  'Christian|Catholic|Protestant|Orthodox Christian|Lutheran|Methodist|Baptist|Evangelical|Anglican|Mormon|Muslim|Sunni|Shia|Shiite|Jewish|Jew|Hindu|Buddhist|Sikh|Taoist|Atheist|Agnostic|Zoroastrian|Bahai|Bahaí|Bahaʼi|Bahaʼí|Bahái|Baháí|Baháʼi|Baháʼí|Jain|Rastafarian|Scientologist|Quaker|Amish'
const politics =
  'Democrat|Republican|Communist|Socialist|Conservative|Liberal|Libertarian|Labour|Tory|Marxist|Anarchist'
const groups = `${oneOf([nationalities, beliefs, politics].flatMap((names) => names.split('|')))}s?`

/** Said of people: a German car tells nothing about anybody. */
export const nrp: Recognizer = {
  entity: 'NRP',
  patterns: [
    {
      regex: new RegExp(
        String.raw`(?<![\p{L}\p{N}])(?<lead>(?:I am|I'm|we are|we're|you are|he is|he's|she is|she's|they are|they're|is|was|were|as|being|identif(?:y|ies) as|converted to|born|half|nationality:?(?: is)?|citizenship:?(?: is)?|religion:?(?: is)?|ethnicity:?(?: is)?) (?:an? )?(?:devout |practi[cs]ing |proud )?)${groups}(?![\p{L}\p{N}]| (?:action|film|movie|food|car|wine|word|restaurant|cuisine|company|language|brand|dish|style|version))`,
        'iu',
      ),
      score: 0.6,
    },
    {
      regex: new RegExp(
        String.raw`(?<![\p{L}\p{N}])${groups}(?<trail>[ -](?:man|men|woman|women|boy|girl|citizens?|nationals?|immigrants?|refugees?|people|person|community|communities|family|families|couple|husband|wife|descent|origin|heritage|ancestry|patient|student|worker)(?![\p{L}]))`,
        'iu',
      ),
      score: 0.65,
    },
  ],
  validate: (match) =>
    /^\p{Lu}/u.test(match) ||
    !/^(?:conservative|liberal|republican|democrat|socialist|communist|orthodox|labour|roma|polish)s?$/i.test(match),
  invalidInContext: false,
  context: ['nationality', 'citizen', 'religion', 'ethnic', 'native'],
  examples: ['I am [Muslim]', 'a [Brazilian] woman', 'she is a practicing [Catholic]', 'nationality: [Swedish]'],
  counterExamples: [
    'a German car',
    'polish the table',
    'an American action film',
    'English breakfast',
    'liberal use of salt',
  ],
}
