/** Languages by their tags, and by what the library calls them. */

/** Languages that the library tells apart. */
const identified =
  'am ar az be bg bn ca cs da de el en es et eu fa fi fr gu he hi hr hu hy is it ja ka kn ko ku lo lt lv ml mr ms nl no or pa pl pt ro ru sk sl sq sr sv ta te th tl tr uk ur vi yo zh'.split(
    ' ',
  )

/** Languages that the library has under another name, or knows by their nearest relative. */
const relatives: Readonly<Record<string, string>> = {
  nb: 'no',
  nn: 'no',
  id: 'ms',
  bs: 'hr',
  fil: 'tl',
  yue: 'zh',
  gl: 'pt',
  iw: 'he',
}

/** Languages that readers of one take for the other in a few words: where one is allowed, so is what looks like it. */
const alike: Readonly<Record<string, readonly string[]>> = {
  no: ['da'],
  hr: ['sr', 'sl'],
  sr: ['hr'],
  cs: ['sk'],
  sk: ['cs'],
}

export const knownLanguages: readonly string[] = [...identified, ...Object.keys(relatives)].sort()

const primary = (tag: string): string => tag.split('-')[0]?.toLowerCase() ?? tag

/** What the library may call a text in one of the languages. */
export const namesOf = (tags: readonly string[]): ReadonlySet<string> =>
  new Set(tags.map((tag) => relatives[primary(tag)] ?? primary(tag)).flatMap((name) => [name, ...(alike[name] ?? [])]))

/** Scripts that a language is written in where that is more than its most likely one. */
const scriptsOf: Readonly<Record<string, readonly string[]>> = {
  Jpan: ['Hiragana', 'Katakana', 'Han'],
  Kore: ['Hangul', 'Han'],
  Hans: ['Han'],
  Hant: ['Han'],
}

/** Letters of the scripts of the languages, Latin ones among them, which all borrow. */
export const lettersOf = (tags: readonly string[]): RegExp => {
  const scripts = tags.flatMap((tag) => {
    const script = new Intl.Locale(primary(tag)).maximize().script ?? 'Latn'
    return scriptsOf[script] ?? [script]
  })
  const names = [...new Set([...scripts, 'Latin', 'Common', 'Inherited'])]
  return new RegExp(`[${names.map((name) => `\\p{Script=${name}}`).join('')}]`, 'u')
}
