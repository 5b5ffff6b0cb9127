import { byteOfCharacter } from '@sallyport/kit/generation'
import { library } from './library.js'
import type { Decoder } from './library.js'

/** A token as its vocabulary has it; that of an added token is text. */
export interface NamedToken {
  readonly text: string
  readonly isText: boolean
}

const replacement = '\ufffd'

// a byte order mark is a character of the text
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

type Step = (tokens: string[]) => string[]

/** Tokens become text, in the steps of the model's own decoder. */
export class Detokenization {
  private readonly steps: readonly Step[]
  private readonly isByteLevel: boolean

  /** @param prefixed whether the first word's start (▁) is no part of the text */
  constructor(decoder: Decoder | null, prefixed: boolean) {
    const leaves = leavesOf(decoder)
    this.isByteLevel = leaves.some((leaf) => leaf instanceof library.ByteLevelDecoder)
    this.steps = leaves.map((leaf) => stepOf(leaf, prefixed))
  }

  /** @param tokens undefined stands for an id that is not in the vocabulary, and for the unknown token */
  textOf(tokens: readonly (NamedToken | undefined)[]): string {
    const names = tokens.map((token) => {
      const { text, isText } = token ?? { text: replacement, isText: true }
      return isText && this.isByteLevel ? inByteAlphabet(text) : text
    })
    return this.steps.reduce((texts, step) => step(texts), names).join('')
  }
}

const leavesOf = (decoder: Decoder | null): Decoder[] => {
  if (decoder instanceof library.SequenceDecoder) return decoder.decoders.flatMap(leavesOf)
  return decoder ? [decoder] : []
}

const stepOf = (leaf: Decoder, prefixed: boolean): Step => {
  if (leaf instanceof library.ByteLevelDecoder) return (tokens) => [decoder.decode(bytesOf(tokens))]
  if (leaf instanceof library.ByteFallbackDecoder) return joinBytes
  if (leaf instanceof library.MetaspaceDecoder) {
    return (tokens) =>
      tokens.map((token, index) => {
        const text = token.replaceAll(leaf.replacement, ' ')
        return index === 0 && prefixed && text.startsWith(' ') ? text.slice(1) : text
      })
  }
  return (tokens) => leaf.decode_chain(tokens)
}

const bytesOf = (tokens: readonly string[]): Uint8Array => {
  const bytes: number[] = []
  for (const character of tokens.join('')) {
    const byte = byteOfCharacter.get(character)
    if (byte === undefined) for (const one of Buffer.from(character)) bytes.push(one)
    else bytes.push(byte)
  }
  return Uint8Array.from(bytes)
}

const characterOfByte = [...byteOfCharacter].reduce<string[]>((characters, [character, byte]) => {
  characters[byte] = character
  return characters
}, [])

const inByteAlphabet = (text: string) => Array.from(Buffer.from(text), (byte) => characterOfByte[byte]).join('')

const byteToken = /^<0x([0-9A-Fa-f]{2})>$/

/** A row of tokens of single bytes becomes the text that the bytes are. */
const joinBytes: Step = (tokens) => {
  const texts: string[] = []
  let bytes: number[] = []
  const flush = () => {
    if (bytes.length > 0) texts.push(decoder.decode(Uint8Array.from(bytes)))
    bytes = []
  }
  for (const token of tokens) {
    const digits = byteToken.exec(token)?.[1]
    if (digits === undefined) {
      flush()
      texts.push(token)
    } else bytes.push(Number.parseInt(digits, 16))
  }
  flush()
  return texts
}
