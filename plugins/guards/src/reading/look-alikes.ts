/** Letters by the small Latin letters that they look like; a word of them says something only where it is one of attacks. */

/** Unicode UTS #39, confusables.txt: letters of the basic plane that are confused with one Latin letter. */
const confusables: readonly (readonly [string, string])[] = [
  ['ɑɡɣɯʏᴄᴏᴑᴜᴠᴡᴢᶃᶌẝỿꜱꞘꞙꞟꞲꞳꞴꬲꬵꬽꭇꭈꭎꭒꭚ', 'agywycoouvwzgyfysffujxbeforruuy'], // Latin
  ['ͺͿΑΒΕΖΗΚΜΝΟΡΤΥΧγινοϒϜϱϲϳϹϺᴦι', 'ijabezhkmnoptyxyivoyfpcjcmri'], // Greek
  ['ЅЈАВЕКМНОРСТУХЬагеорсхѕіјѡѴҮүһҽԁԌԛԜԝꙇ', 'sjabekmhopctyxbareopcxsijwvyyhedgqwwi'], // Cyrillic
  ['ՍՏՕագզք', 'usowqqf'], // Armenian
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
  ['ⲒⲓⲉⲙⲁⲧⲛⲕⲅꓲᛁⵏΙІӀӏօոռսհյցѵꮎꮁꮃꮓทน', 'iiematnkriiiiiiionnuhjgvorwznu'],
  ['รพคєεηтмкпвнияуαστωμκςρυɛɔʊɾʈɐ', 'swaeentmknbhuryaotwukspueourta'],
  ['ɪɩɨɵɇʉɟɗɖɓɠɦɱɲɳɴɹʂʋʍʐəɘɜøłŧđħı', 'iiioeujddbghmnnnrsvwzeeeoltdhi'],
  ['ƒƙƥƭßþð', 'fkptbpd'],
]

const letters = new Map(
  [...confusables, ...others].flatMap(([from, to]) =>
    Array.from(from, (one, at): [string, string] => [one, to.charAt(at)]),
  ),
)

/** What each letter is read as, which is asked again and again; empty of what looks like none. */
const known = new Map<string, string>()

const latin = (letter: string): string => {
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
    const plain = latin(letter)
    if (plain === '') return undefined
    result += plain
  }
  return result
}
