/** A secret that can be told from everything else, the ways to write it, and how it is found again. */

const digits = '4111111111111111'
export const secret = `canary-${digits}`

/** What stands for text that is no secret. */
export const harmless = 'walked'

/** A text that says something, as a text and as a value of JSON. */
export interface Spelling {
  readonly name: string
  readonly text: string
  /** For places that take JSON. */
  readonly json: unknown
  /** Where it is streamed: characters at a time. */
  readonly chunk: number
  /** It stands in a word that is longer than a segment: only what is looked for by patterns is kept in one. */
  readonly unbroken?: true
}

const inSchema = (said: string): object => ({ type: 'object', properties: { [harmless]: { description: said } } })

const escaped = (text: string): string =>
  JSON.stringify({ said: text })
    .replace('canary', String.raw`\u0063anary`)
    .replace('4', String.raw`\u0034`)

/** Longer than a segment, and without an end of a sentence. */
const longWord = 'x'.repeat(700)
/** Where a segment that has no better place to end ends in the secret behind it. */
const almostSegment = 'x'.repeat(500)
const sentences = 'A sentence of no interest. '.repeat(30)

export const spellings: readonly Spelling[] = [
  { name: 'as it is', text: secret, json: inSchema(secret), chunk: Infinity },
  { name: 'letter by letter', text: secret, json: { [secret]: true }, chunk: 1 },
  { name: 'with escapes', text: escaped(secret), json: inSchema(escaped(secret)), chunk: 3 },
  {
    name: 'with escapes in JSON in JSON',
    text: JSON.stringify({ [harmless]: escaped(secret) }),
    json: { enum: [JSON.stringify(escaped(secret))] },
    chunk: 7,
  },
  { name: 'as a number', text: `{"said": ${digits}}`, json: { const: Number(digits) }, chunk: 5 },
  { name: 'behind sentences', text: sentences + secret, json: inSchema(sentences + secret), chunk: 11 },
  {
    name: 'at the end of a word',
    text: longWord + secret,
    json: inSchema(longWord + secret),
    chunk: 13,
    unbroken: true,
  },
  {
    name: 'across the end of a segment',
    text: almostSegment + secret + longWord,
    json: { enum: [almostSegment + secret + longWord] },
    chunk: 17,
    unbroken: true,
  },
]

export const [plain] = spellings as [Spelling]

/** How often escapes are undone: deeper than any spelling hides the secret. */
const deepest = 6

/** The text, and what it reads as when the escapes of JSON are undone. */
const readings = (text: string): string[] => {
  const all = [text]
  for (let at = 0; at < deepest; at += 1)
    all.push(
      all[at]!.replace(/\\u([\da-f]{4})|\\(["\\/])/gi, (_, code?: string, character?: string) =>
        code === undefined ? character! : String.fromCharCode(parseInt(code, 16)),
      ),
    )
  return all
}

/** Whether the text holds the whole secret, or the number in it. */
export const holdsSecret = (text: string): boolean => readings(text).some((reading) => reading.includes(digits))

/** Characters of a part of the secret that is too long to be there by chance. */
const telling = 5

const parts = Array.from({ length: secret.length - telling + 1 }, (_, at) => secret.slice(at, at + telling))

/** Whether the text holds a part of the secret that no harmless text has. */
export const holdsPart = (text: string): boolean =>
  readings(text).some((reading) => parts.some((part) => reading.includes(part)))

/** Where the secret stands in a text. */
export const findSecret = (text: string): { start: number; end: number }[] =>
  Array.from(text.matchAll(new RegExp(`(?:canary-)?${digits}`, 'g')), ({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }))

/** Where the secret stands, and where it could still be on its way at the end of a text that grows. */
export const openSecrets = (text: string): { start: number; end: number }[] => {
  const begun = [secret, digits].flatMap((whole) =>
    Array.from({ length: whole.length - 1 }, (_, at) => whole.slice(0, at + 1))
      .filter((beginning) => text.endsWith(beginning))
      .map(({ length }) => ({ start: text.length - length, end: text.length })),
  )
  return [...findSecret(text), ...begun]
}
