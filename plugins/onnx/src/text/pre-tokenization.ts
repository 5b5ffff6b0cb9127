import { commonEnds } from './aligned-text.js'
import type { AlignedText, Part } from './aligned-text.js'
import type { Place } from './place.js'
import { library } from './library.js'
import type { ByteLevelPreTokenizer, MetaspacePreTokenizer, PreTokenizer } from './library.js'

type Step = (text: AlignedText, place: Place) => AlignedText[]

/**
 * Before which ▁ a word ends: before all of them, before those behind another character (the vocabulary has no token
 * that reaches across, so that the tokens are the same as without), or before none.
 */
export type WordStarts = 'every' | 'first' | 'none'

/** The second step of tokenization: a normalised text becomes words, of which no token spans two. */
export class PreTokenization {
  private readonly steps: readonly Step[]

  constructor(preTokenizer: PreTokenizer | null, wordStarts: WordStarts) {
    this.steps = [...leavesOf(preTokenizer).map(stepOf), ...wordStartSteps[wordStarts]]
  }

  apply(text: AlignedText, place: Place): AlignedText[] {
    return this.steps.reduce((texts, step) => texts.flatMap((one) => step(one, place)), [text])
  }
}

const leavesOf = (preTokenizer: PreTokenizer | null): PreTokenizer[] => {
  if (preTokenizer instanceof library.SequencePreTokenizer) return preTokenizer.tokenizers.flatMap(leavesOf)
  return preTokenizer ? [preTokenizer] : []
}

const stepOf = (preTokenizer: PreTokenizer): Step => {
  if (preTokenizer instanceof library.ByteLevelPreTokenizer) return byteLevel(preTokenizer)
  if (preTokenizer instanceof library.MetaspacePreTokenizer) return metaspace(preTokenizer)
  if (preTokenizer instanceof library.ReplacePreTokenizer) {
    return (text) => preTokenizer.pre_tokenize(text.text).map((word) => text.derive(word, commonEnds(text.text, word)))
  }
  return (text) => located(text, preTokenizer.pre_tokenize(text.text))
}

/** Words that stand in the text as they are. */
const located = (text: AlignedText, words: readonly string[]): AlignedText[] => {
  let at = 0
  return words.map((word) => {
    const found = text.text.indexOf(word, at)
    if (found >= 0) at = found
    const from = at
    at += word.length
    return text.slice(from, at)
  })
}

const splitAt =
  (boundary: RegExp): Step =>
  (text) =>
    located(text, text.text.split(boundary))

const wordStartSteps: Readonly<Record<WordStarts, readonly Step[]>> = {
  every: [splitAt(/(?=\u2581)/u)],
  first: [splitAt(/(?<=[^\u2581])(?=\u2581)/u)],
  none: [],
}

/** GPT-2's words; what JavaScript takes for white space (`\\s`) is not quite what others do. */
const wordOfGpt2 =
  /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\p{White_Space}\p{L}\p{N}]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/gu

/** Every byte becomes a character. */
const byteLevel = (preTokenizer: ByteLevelPreTokenizer): Step => {
  preTokenizer.pattern = wordOfGpt2
  return (text, { continues }) => {
    const words = preTokenizer.pre_tokenize(text.text)
    const prefixed = preTokenizer.add_prefix_space && !text.text.startsWith(' ')
    const bytes: Part[] = prefixed ? [{ length: 1, from: 0, to: 0 }] : []
    let from = 0
    for (const character of text.text) {
      const to = from + character.length
      bytes.push({ length: Buffer.byteLength(character), from, to })
      from = to
    }
    const derived = located(text.derive(words.join(''), bytes), words)
    return prefixed && continues ? withoutFirst(derived) : derived
  }
}

/** Spaces become visible; the words are parted by another step. */
const metaspace = (preTokenizer: MetaspacePreTokenizer): Step => {
  const { str_rep: replacement } = preTokenizer
  return (text, place) => {
    const [word = ''] = preTokenizer.pre_tokenize(text.text, { section_index: place.first ? 0 : 1 })
    const parts: Part[] = []
    for (let from = 0; from < text.text.length; from += 1) {
      parts.push({ length: text.text[from] === ' ' ? replacement.length : 1, from, to: from + 1 })
    }
    const added = word.length - parts.reduce((sum, { length }) => sum + length, 0)
    const derived = text.derive(word, added > 0 ? [{ length: added, from: 0, to: 0 }, ...parts] : parts)
    return [added > 0 && place.continues ? derived.slice(added, word.length) : derived]
  }
}

const withoutFirst = ([first, ...rest]: readonly AlignedText[]): AlignedText[] =>
  first ? [first.slice(1, first.text.length), ...rest].filter(({ text }) => text !== '') : []
