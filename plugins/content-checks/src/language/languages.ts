/** Maps BCP 47 tags to the names of languages in the library. */

/** The languages that the library knows. */
const libraryLanguages =
  'am ar az be bg bn ca cs da de el en es et eu fa fi fr gu he hi hr hu hy is it ja ka kn ko ku lo lt lv ml mr ms nl no or pa pl pt ro ru sk sl sq sr sv ta te th tl tr uk ur vi yo zh'.split(
    ' ',
  )

/** Languages that the library knows by another name, or takes for their nearest relative. */
const libraryNames: Readonly<Record<string, string>> = {
  nb: 'no',
  nn: 'no',
  id: 'ms',
  bs: 'hr',
  fil: 'tl',
  yue: 'zh',
  gl: 'pt',
  iw: 'he',
}

/** Languages that cannot be told apart in a few words: where the first is allowed, so are the others. */
const similarLanguages: Readonly<Record<string, readonly string[]>> = {
  no: ['da'],
  hr: ['sr', 'sl'],
  sr: ['hr'],
  cs: ['sk'],
  sk: ['cs'],
}

export const knownLanguages: readonly string[] = [...libraryLanguages, ...Object.keys(libraryNames)].sort()

const primary = (tag: string): string => tag.split('-')[0]?.toLowerCase() ?? tag

/** The names that the library may give to a text in one of these languages. */
export const namesOf = (tags: readonly string[]): ReadonlySet<string> =>
  new Set(
    tags
      .map((tag) => libraryNames[primary(tag)] ?? primary(tag))
      .flatMap((name) => [name, ...(similarLanguages[name] ?? [])]),
  )

/** The Unicode scripts of ISO 15924 codes that stand for several or for a variant. */
const scriptsOf: Readonly<Record<string, readonly string[]>> = {
  Jpan: ['Hiragana', 'Katakana', 'Han'],
  Kore: ['Hangul', 'Han'],
  Hans: ['Han'],
  Hant: ['Han'],
}

/** Matches a letter of the scripts of these languages, or a Latin one, as all languages borrow those. */
export const lettersOf = (tags: readonly string[]): RegExp => {
  const scripts = tags.flatMap((tag) => {
    const script = new Intl.Locale(primary(tag)).maximize().script ?? 'Latn'
    return scriptsOf[script] ?? [script]
  })
  const names = [...new Set([...scripts, 'Latin', 'Common', 'Inherited'])]
  return new RegExp(`[${names.map((name) => `\\p{Script=${name}}`).join('')}]`, 'u')
}
