/** Languages as people write them: ISO 639-1 and 639-3, BCP-47 tags, English names. */

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
const letters = [...'abcdefghijklmnopqrstuvwxyz']

/** English names of all languages with a two-letter code, and then of those with three. Made when first needed. */
const byName = (): ReadonlyMap<string, string> => (known ??= buildNames())
let known: ReadonlyMap<string, string> | undefined

const buildNames = (): ReadonlyMap<string, string> => {
  const pairs = letters.flatMap((first) => letters.map((second) => first + second))
  const codes = [...pairs, ...pairs.flatMap((pair) => letters.map((third) => pair + third))]
  const map = new Map<string, string>()
  for (const code of codes) {
    const name = names.of(code)?.toLowerCase()
    if (name !== undefined && !map.has(name)) map.set(name, code)
  }
  return map
}

/** The BCP-47 tag, or undefined for what is no language. */
export const languageTag = (written: string): string | undefined => {
  const text = written.trim().replaceAll('_', '-')
  return canonical(text) ?? byName().get(text.toLowerCase())
}

const canonical = (text: string): string | undefined => {
  if (!/^[A-Za-z]{2,3}(?:-[A-Za-z\d]{1,8})*$/.test(text)) return undefined
  try {
    const [tag] = Intl.getCanonicalLocales(text)
    const language = tag?.split('-')[0]
    return language !== undefined && names.of(language) !== undefined ? tag : undefined
  } catch {
    return undefined
  }
}
