import { append } from '@sallyport/kit/lists'
import type { Pacer } from '@sallyport/kit/async'
import type { View } from './view.js'

/** Words of which two make a text worth to be deciphered. */
const known = ['ignore', 'forget', 'reveal', 'system', 'prompt', 'previous', 'disregard', 'instruction', 'instructions']
const words = /(?<![\p{L}\p{N}])[a-z]{6,12}(?![\p{L}\p{N}])/giu
const lengths = new Set(known.map(({ length }) => length))
/** Different words that must be found. */
const enough = 2
/** Of texts that have words in more ciphers, those of most words are read. */
const mostCiphers = 2
/** UTF-16 units that are rewritten between two pauses. */
const slice = 32_768

const a = 'a'.charCodeAt(0)
const rotated = (letter: number, by: number): number => (letter + by + 26) % 26

/** The word with its first letter moved to `a`: the same for all words that a shift of the alphabet makes one another. */
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

const shapes = new Map<string, { readonly word: string; readonly mirrored: boolean }>(
  known.flatMap((word) => [
    [shape(word), { word, mirrored: false }] as const,
    [shape(mirror(word)), { word, mirrored: true }] as const,
  ]),
)
const reversed = new Set(known.map((word) => Array.from(word).toReversed().join('')))

/** The text as it reads when the alphabet is shifted back, or from its end: where known words become visible by it. */
export const cipheredViews = async (view: View, pacer: Pacer): Promise<View[]> => {
  const [ciphers, backward] = await seenIn(view.text, pacer)
  const views: View[] = []
  for (const cipher of ciphers) views.push({ ...view, text: await deciphered(view.text, cipher, pacer), hidden: true })
  if (backward) append(views, backwardViews(view))
  return views
}

const seenIn = async (text: string, pacer: Pacer): Promise<[readonly Cipher[], boolean]> => {
  const found = new Map<string, { readonly cipher: Cipher; readonly words: Set<string> }>()
  const backward = new Set<string>()
  let count = 0
  for (const [match] of text.matchAll(words)) {
    if (!lengths.has(match.length)) continue
    const word = match.toLowerCase()
    if (reversed.has(word)) backward.add(word)
    const like = shapes.get(shape(word))
    if (like) note(found, word, like)
    if ((count += 1) % 256 === 0) await pacer.pause()
  }
  const ciphers = [...found.values()]
    .filter(({ words }) => words.size >= enough)
    .toSorted((a, b) => b.words.size - a.words.size)
    .slice(0, mostCiphers)
  return [ciphers.map(({ cipher }) => cipher), backward.size >= enough]
}

const note = (
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

/** From the end, and each word from its end. */
const backwardViews = ({ text, place }: View): View[] => {
  const all = backwards(text)
  const wordwise = text.replace(/[\p{L}\p{N}]{1,64}/gu, backwards)
  return [
    { text: all, place: (start, end) => place(text.length - end, text.length - start), hidden: true },
    { text: wordwise, place, hidden: true },
  ]
}

/** By UTF-16 units. */
const backwards = (text: string): string => Buffer.from(text, 'utf16le').reverse().swap16().toString('utf16le')
