import { english, germanNouns, others } from './word-lists.js'

const split = (words: string): string[] => words.split(' ')

/** Of shells and programming languages, and of talk about them. */
const code =
  'baz configmap cron daemonset db foo foobar ingress linter lint qux sidecar statefulset api apis app apps apt args argv array arrays async await backend bash bool boolean booleans buf buffer byte bytes cat cd char chars chmod cli cls concat config configs const constexpr cpu css csv ctx curl cwd datetime debugger def del delta dev dict dicts dir dirs div dns docker dom elif else endif endl endpoint endpoints enum env eof eval exec expr float fmt frontend func fn git goto gpu grep gui hash hashes html http https ide idx img impl init inline instanceof int ints io ip js json kwargs lambda len lib libs localhost lookup ls malloc map max md min mkdir mutex namespace nginx nil npm npx null nullptr num nums obj os param params pip plugin plugins pos postgres pragma pre printf println proc prod ptr pwd py python ram readme readonly ref refs regex repo repos req res ret rm router rows sdk self setup sh sizeof sql src ssd ssh std stderr stdin stdout str struct structs stdio strlen substr sudo sum synchronized sys tcp temp todo tmp transient ts tuple tuples txt typedef typeof udp ui uint unsigned uri url urls usb util utils uuid val vals var vars vec vector vectors vim void volatile wget wifi xml yaml yml'

const peoples =
  'African American Arabic Asian Australian British Canadian Chinese Danish Dutch English European Finnish French German Greek Hebrew Hindi Indian Irish Italian Japanese Korean Latin Mexican Norwegian Polish Portuguese Roman Russian Scottish Spanish Swedish Turkish Welsh Christian Christmas Easter Jewish Muslim'

const times =
  'Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March July September October November December'

/** So many of each language begin sentences, and are taken for no names although some are. */
const frequent = 150

const lists = [english, ...Object.values(others)].map(split)
const englishWords: ReadonlySet<string> = new Set([...split(english), ...split(code)])
const frequentWords: ReadonlySet<string> = new Set(
  lists.flatMap((list) => list.slice(0, frequent)).filter((word) => word !== 'will' && word !== 'may'),
)
const capitalised: ReadonlySet<string> = new Set([germanNouns, peoples, times].flatMap(split))
const words: ReadonlySet<string> = new Set([...lists.flat(), ...split(germanNouns.toLowerCase())])

/** Endings of English words, and what stood in their place; the list is made without such forms. */
const endings: readonly (readonly string[])[] = [
  ['s', ''],
  ['es', '', 'e'],
  ['ies', 'y'],
  ['ed', '', 'e'],
  ['ied', 'y'],
  ['ing', '', 'e'],
  ['ly', '', 'le'],
  ['ily', 'y'],
  ['er', '', 'e'],
  ['ers', '', 'e'],
  ['est', '', 'e'],
  ['ness', ''],
  ['able', '', 'e'],
  ['ment', ''],
  ['ments', ''],
  ['less', ''],
  ['ful', ''],
  ['ation', '', 'e'],
  ['ations', 'e'],
  ['ity', '', 'e'],
  ['ability', 'able'],
]
const doubling: ReadonlySet<string> = new Set(['ed', 'ing', 'er', 'ers', 'est'])
const prefixes = ['un', 're', 'non', 'over', 'pre', 'mis', 'dis', 'under', 'out', 'sub', 'inter']

/** Whether a word, in lower case, is a common one, or a regular form of a common word of English. */
export const isCommon = (word: string): boolean => words.has(word) || isForm(word, 2)

/** Whether a word, in lower case, is so common that it names nobody where a sentence begins. */
export const isFrequent = (word: string): boolean => frequentWords.has(word)

/** Whether a word has a capital inside a sentence although it is no name. */
export const isCapitalised = (word: string): boolean => capitalised.has(word)

const isForm = (word: string, depth: number): boolean => {
  if (englishWords.has(word)) return true
  return depth > 0 && stemsOf(word).some((stem) => isForm(stem, depth - 1))
}

const stemsOf = (word: string): string[] => {
  const stems = prefixes
    .filter((prefix) => word.startsWith(prefix) && word.length - prefix.length >= 4)
    .map((prefix) => word.slice(prefix.length))
  for (const [ending = '', ...instead] of endings) {
    const length = word.length - ending.length
    if (length < 3 || !word.endsWith(ending)) continue
    const stem = word.slice(0, length)
    for (const other of instead) stems.push(stem + other)
    if (doubling.has(ending) && length > 3 && /([^aeiouy])\1$/.test(stem)) stems.push(stem.slice(0, -1))
  }
  return stems
}
