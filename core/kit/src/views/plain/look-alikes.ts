/** Letters that look like letters of another script. */

/** Letters that look identical to a Latin letter, and that letter. */
const identical: readonly (readonly [string, string])[] = [
  ['АВЕЅІЈКМНОРСТУХаеорсухіјѕԁԛԝһ', 'ABESIJKMHOPCTYXaeopcyxijsdqwh'],
  ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧονικυ', 'ABEZHIKMNOPTYXoviku'],
  ['ՕՍՏԼօոսհցզյ', 'OUSLonuhgqj'],
]

const pairs = (tables: readonly (readonly [string, string])[]): [string, string][] =>
  tables.flatMap(([from, to]) => {
    if (from.length !== to.length) throw new RangeError(`a letter of ${from} looks like none, or like two`)
    return Array.from(from, (one, at): [string, string] => [one, to.charAt(at)])
  })

const latin = new Map(pairs(identical).map(([from, to]) => [from.charCodeAt(0), to.charCodeAt(0)]))

/** The Latin letter that a letter of another script looks like; UTF-16 code units. */
export const latinLookAlike = (unit: number): number | undefined => latin.get(unit)

/**
 * Less similar letters, with small Latin ones: they are read only in words that a detector looks for. Unicode UTS #39,
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

/** Letters that Unicode's list lacks or takes for `l`: strokes, phonetic letters, and playful ones. */
const moreConfusables: readonly (readonly [string, string])[] = [
  ['ⲒⲓⲉⲙⲁⲧⲛⲕⲅꓲᛁⵏӀӏռѵꮎꮁꮃꮓทน', 'iiematnkriiiiinvorwznu'],
  ['รพคєεηтмкпвнияαστωμςρυɛɔʊɾʈɐ', 'swaeentmknbhuraotwuspueourta'],
  ['ɪɩɨɵɇʉɟɗɖɓɠɦɱɲɳɴɹʂʋʍʐəɘɜøłŧđħı', 'iiioeujddbghmnnnrsvwzeeeoltdhi'],
  ['ƒƙƥƭßþð', 'fkptbpd'],
]

const letters = new Map(pairs([...identical, ...confusables, ...moreConfusables]))

/** A cache of the Latin letter for each letter; empty where it looks like none. */
const latinByLetter = new Map<string, string>()

const asLatin = (letter: string): string => {
  let result = latinByLetter.get(letter)
  if (result === undefined) {
    result = latinOf(letter)
    latinByLetter.set(letter, result)
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
 * A text in which words that are mostly of another script have no Latin letters: these are replaced by their twins of
 * that script. The length stays the same.
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
