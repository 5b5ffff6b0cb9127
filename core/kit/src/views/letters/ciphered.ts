import type { Pacer } from '../../async/pacer.js'
import type { View } from '../view.js'
import type { Vocabulary } from './split-words.js'

const words = /(?<![\p{L}\p{N}])[a-z]{6,12}(?![\p{L}\p{N}])/giu
/** How many different words a cipher must show to count. */
const minWords = 2
/** Texts with more ciphers are read by those with the most words. */
const maxCiphers = 2
/** UTF-16 code units that are rewritten between two pauses. */
const slice = 32_768

const a = 'a'.charCodeAt(0)
const rotated = (letter: number, by: number): number => (letter + by + 26) % 26

/** The word shifted so that its first letter would be `a`: all shifts of a word have the same shape. */
const shape = (word: string): string => {
  const first = word.charCodeAt(0)
  let moved = ''
  for (let at = 1; at < word.length; at += 1) moved += String.fromCharCode(a + rotated(word.charCodeAt(at) - first, 0))
  return moved
}
const mirror = (word: string): string =>
  Array.from(word, (letter) => String.fromCharCode(2 * a + 25 - letter.charCodeAt(0))).join('')

/** A way to write letters: the mirrored alphabet or not, and how far it is shifted. */
interface Cipher {
  readonly mirrored: boolean
  readonly shift: number
}

/** Known words by their enciphered forms. */
interface CipherIndex {
  readonly shapes: ReadonlyMap<string, { readonly word: string; readonly mirrored: boolean }>
  readonly backward: ReadonlySet<string>
  readonly lengths: ReadonlySet<number>
}

const buildIndex = ({ cipherWords }: Vocabulary): CipherIndex => ({
  shapes: new Map(
    [false, true].flatMap((mirrored) =>
      cipherWords.map((word) => [shape(mirrored ? mirror(word) : word), { word, mirrored }] as const),
    ),
  ),
  backward: new Set(cipherWords.map((word) => Array.from(word).toReversed().join(''))),
  lengths: new Set(cipherWords.map(({ length }) => length)),
})

const indexes = new WeakMap<Vocabulary, CipherIndex>()

const indexOf = (words: Vocabulary): CipherIndex => {
  const ciphered = indexes.get(words) ?? buildIndex(words)
  indexes.set(words, ciphered)
  return ciphered
}

/** The text with a shifted or mirrored alphabet undone, and reversed, where that makes known words appear. */
export const cipheredViews = async (view: View, pacer: Pacer, vocabulary: Vocabulary): Promise<View[]> => {
  const [ciphers, isBackward] = await findCiphers(view.text, indexOf(vocabulary), pacer)
  const views: View[] = []
  for (const cipher of ciphers)
    views.push({ text: await deciphered(view.text, cipher, pacer), sourceOf: view.sourceOf })
  return isBackward ? [...views, ...backwardViews(view)] : views
}

const findCiphers = async (
  text: string,
  { shapes, backward: reversed, lengths }: CipherIndex,
  pacer: Pacer,
): Promise<[readonly Cipher[], boolean]> => {
  const found = new Map<string, { readonly cipher: Cipher; readonly words: Set<string> }>()
  const backward = new Set<string>()
  let count = 0
  for (const [match] of text.matchAll(words)) {
    if (!lengths.has(match.length)) continue
    const word = match.toLowerCase()
    if (reversed.has(word)) backward.add(word)
    const like = shapes.get(shape(word))
    if (like) countWord(found, word, like)
    if ((count += 1) % 256 === 0) await pacer.pause()
  }
  const ciphers = [...found.values()]
    .filter(({ words }) => words.size >= minWords)
    .toSorted((a, b) => b.words.size - a.words.size)
    .slice(0, maxCiphers)
  return [ciphers.map(({ cipher }) => cipher), backward.size >= minWords]
}

const countWord = (
  found: Map<string, { readonly cipher: Cipher; readonly words: Set<string> }>,
  written: string,
  { word, mirrored }: { readonly word: string; readonly mirrored: boolean },
): void => {
  const from = mirrored ? mirror(word) : word
  const shift = rotated(written.charCodeAt(0) - from.charCodeAt(0), 0)
  if (shift === 0 && !mirrored) return
  const key = `${mirrored} ${shift}`
  const entry = found.get(key) ?? { cipher: { mirrored, shift }, words: new Set() }
  found.set(key, entry)
  entry.words.add(word)
}

const deciphered = async (text: string, { mirrored, shift }: Cipher, pacer: Pacer): Promise<string> => {
  const plain = (letter: string): string => {
    const code = letter.charCodeAt(0)
    const base = code >= a ? a : 'A'.charCodeAt(0)
    const back = rotated(code - base, -shift)
    return String.fromCharCode(base + (mirrored ? 25 - back : back))
  }
  let result = ''
  for (let from = 0; from < text.length; from += slice) {
    result += text.slice(from, from + slice).replace(/[a-z]/gi, plain)
    await pacer.pause()
  }
  return result
}

/** The whole text reversed, and each word reversed. */
const backwardViews = ({ text, sourceOf }: View): View[] => [
  {
    text: backwards(text),
    sourceOf: ({ start, end }) => sourceOf({ start: text.length - end, end: text.length - start }),
  },
  { text: text.replace(/[\p{L}\p{N}]{1,64}/gu, backwards), sourceOf },
]

/** The text with its UTF-16 code units in reverse order. */
const backwards = (text: string): string => Buffer.from(text, 'utf16le').reverse().swap16().toString('utf16le')
