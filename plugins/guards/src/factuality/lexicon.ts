/** Word lists for the comparison; they must equal those in training/claims.py. */

const splitWords = (words: string): readonly string[] => words.split(/\s+/)

/** Words that say nothing by themselves. */
export const stopWords: ReadonlySet<string> = new Set(
  splitWords(`a an the of in on at by for from to with and or but as is are was were be been being has have had do does did
it its he she they them his her their this that these those there which who whom whose what when where while i you we my
your our me us him also than then so such into over after before about between during under up out off can could will
would may might shall should s t each every per roughly approximately nearly almost around`),
)

export const negations: ReadonlySet<string> = new Set(
  splitWords(`not no never none neither nor without cannot nobody nothing hardly unable fails failed refused denied`),
)

export const numberWords: ReadonlyMap<string, string> = new Map([
  ...splitWords('zero one two three four five six seven eight nine ten eleven twelve').map(
    (word, value): [string, string] => [word, String(value)],
  ),
  ...splitWords(
    'first:1 second:2 third:3 fourth:4 fifth:5 twenty:20 thirty:30 hundred:100 thousand:1000 dozen:12 once:1 twice:2',
  ).map((pair): [string, string] => [pair.split(':')[0] ?? '', pair.split(':')[1] ?? '']),
])

export const months = splitWords(
  'January February March April May June July August September October November December',
)

export const dateWords: ReadonlySet<string> = new Set([
  ...months.map((month) => month.toLowerCase()),
  ...splitWords('monday tuesday wednesday thursday friday saturday sunday'),
])

const pairs = splitWords(`increase/decrease rise/fall rose/fell increased/decreased more/less more/fewer first/last
before/after north/south east/west win/lose won/lost success/failure open/close opened/closed male/female man/woman
son/daughter father/mother husband/wife brother/sister high/low higher/lower largest/smallest best/worst oldest/youngest
early/late begin/end began/ended start/stop started/stopped accept/reject accepted/rejected support/oppose
supported/opposed alive/dead born/died buy/sell bought/sold true/false legal/illegal public/private positive/negative
above/below inside/outside left/right major/minor hot/cold always/never all/none join/leave joined/left
appointed/resigned arrived/departed guilty/innocent convicted/acquitted married/divorced`)

/** The words that say the opposite of a word. */
export const antonyms: ReadonlyMap<string, ReadonlySet<string>> = pairs.reduce((known, pair) => {
  const [one = '', other = ''] = pair.split('/')
  known.set(one, new Set(known.get(one)).add(other))
  return known.set(other, new Set(known.get(other)).add(one))
}, new Map<string, Set<string>>())
