/** Letters that look like letters of another script. */

/** Those that nobody tells apart, and the Latin letter in whose place they stand beside others. */
const same: readonly (readonly [string, string])[] = [
  ['АВЕЅІЈКМНОРСТУХаеорсухіјѕԁԛԝһ', 'ABESIJKMHOPCTYXaeopcyxijsdqwh'],
  ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧονικυ', 'ABEZHIKMNOPTYXovikyu'],
  ['ՕՍՏԼօոսհցզյ', 'OUSLonuhgqj'],
]

const pairs = (tables: readonly (readonly [string, string])[]): [string, string][] =>
  tables.flatMap(([from, to]) => Array.from(from, (one, at): [string, string] => [one, to.charAt(at)]))

const latin = new Map(pairs(same).map(([from, to]) => [from.charCodeAt(0), to.charCodeAt(0)]))

/** The Latin letter that a letter of another script looks like; UTF-16 units. */
export const latinLookAlike = (unit: number): number | undefined => latin.get(unit)

/**
 * Others, in small letters: a word of them says something only where it is one that is looked for. Unicode UTS #39,
 * confusables.txt: letters of the basic plane that are confused with one Latin letter.
 */
const confusables: readonly (readonly [string, string])[] = [
  ['ɑɡɣɯʏᴄᴏᴑᴜᴠᴡᴢᶃᶌẝỿꜱꞘꞙꞟꞲꞳꞴꬲꬵꬽꭇꭈꭎꭒꭚ', 'agywycoouvwzgyfysffujxbeforruuy'], // Latin
  ['ͺͿγϒϜϱϲϳϹϺᴦι', 'ijyyfpcjcmri'], // Greek
  ['ЬгѡѴҮүҽԌԜꙇ', 'brwvyyegwi'], // Cyrillic
  ['ագք', 'wqf'], // Armenian
  ['ଠ', 'o'], // Oriya
  ['ഠ', 'o'], // Malayalam
  ['ဝ', 'o'], // Myanmar
  ['ყჿ', 'yo'], // Georgian
  ['ሀዐ', 'uo'], // Ethiopic
  ['ᎠᎡᎢᎥᎩᎪᎫᎬᎳᎷᎻᎽᏀᏂᏃᏏᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏳᏴꭰꭱꭲꭵꭹꭺꭻꭼꮇꮋꮍꮐꮒꮟꮢꮤꮥꮩꮪꮮꮯꮲꮶꮷ', 'drtiyajewmhyghzbrwsvslcpkdgbdrtiyajemhyghbrwsvslcpkd'], // Cherokee
  ['ᐯᑌᑭᑯᑲᒍᒪᕁᕼᕽᖇᖯᖴᗅᗞᗪᗰᗷ', 'vupdbjlxhxrbfaddmb'], // Canadian
  ['ᚷᛕᛖ', 'xkm'], // Runic
  ['ℽ', 'y'], // Double-struck
  ['ⲎⲔⲘⲚⲞⲟⲢⲣⲤⲥⲦⲨⲬⳐ', 'hkmnooppcctyxl'], // Coptic
  ['ⴸⴹⵔⵕⵝ', 'veoqx'], // Tifinagh
  ['ꓐꓑꓒꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓳꓴ', 'bpddtgkjczfmnlsrvhwxyaeou'], // Lisu
  ['ꛟ', 'v'], // Bamum
]

/** What that list leaves out, or takes for `l`: strokes, letters of phonetics, and what is used in jest. */
const others: readonly (readonly [string, string])[] = [
  ['ⲒⲓⲉⲙⲁⲧⲛⲕⲅꓲᛁⵏӀӏռѵꮎꮁꮃꮓทน', 'iiematnkriiiiinvorwznu'],
  ['รพคєεηтмкпвнияαστωμςρυɛɔʊɾʈɐ', 'swaeentmknbhuraotwuspueourta'],
  ['ɪɩɨɵɇʉɟɗɖɓɠɦɱɲɳɴɹʂʋʍʐəɘɜøłŧđħı', 'iiioeujddbghmnnnrsvwzeeeoltdhi'],
  ['ƒƙƥƭßþð', 'fkptbpd'],
]

const letters = new Map(pairs([...same, ...confusables, ...others]))

/** What each letter is read as, which is asked again and again; empty of what looks like none. */
const known = new Map<string, string>()

const asLatin = (letter: string): string => {
  let result = known.get(letter)
  if (result === undefined) {
    result = latinOf(letter)
    known.set(letter, result)
  }
  return result
}

/** A capital may look like another letter than its small form does. */
const latinOf = (letter: string): string => {
  const [bare = ''] = letter.normalize('NFD')
  const shown = (letters.get(letter) ?? letters.get(bare) ?? bare).toLowerCase()
  const plain = letters.get(shown) ?? shown
  return /^[a-z]$/.test(plain) ? plain : ''
}

/** A word in small Latin letters; undefined where it has a letter that looks like none. */
export const inLatin = (word: string): string | undefined => {
  let result = ''
  for (const letter of word) {
    const plain = asLatin(letter)
    if (plain === '') return undefined
    result += plain
  }
  return result
}

/** Letters of Latin and of another script that look the same. */
const scripts = [
  { letter: /[\u0400-\u04ff]/g, from: 'ABEKMHOPCTYXaeopcyxiI', to: 'АВЕКМНОРСТУХаеорсухіІ' },
  { letter: /[\u0370-\u03ff]/g, from: 'ABEZHIKMNOPTYXovikuapx', to: 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧονικυαρχ' },
].map(({ letter, from, to }) => ({ letter, twins: new Map(Array.from(from, (one, at) => [one, to.charAt(at)])) }))

const mixed = /[A-Za-z][\u0370-\u04ff]|[\u0370-\u04ff][A-Za-z]/
const word = /[A-Za-z\u0370-\u04ff]{2,64}/g

/**
 * A text without Latin letters in words that have more letters of another script only: those look like them, or were
 * read as such. It is as long as the text.
 */
export const inOwnScript = (text: string): string =>
  mixed.test(text) ? text.replace(word, (one) => (mixed.test(one) ? unmixed(one) : one)) : text

const unmixed = (word: string): string => {
  for (const { letter, twins } of scripts) {
    const own = word.match(letter)?.length ?? 0
    const latin = word.match(/[A-Za-z]/g)?.filter((one) => !twins.has(one)).length ?? 0
    if (own > latin) return word.replace(/[A-Za-z]/g, (one) => twins.get(one) ?? one)
  }
  return word
}
