import { dataUri } from '../../model/inlines.js'

/** A token of RTF. */
export type Token =
  | { readonly type: 'open' }
  | { readonly type: 'close' }
  | { readonly type: 'word'; readonly word: string; readonly value: number | undefined }
  /** A byte of the current code page. */
  | { readonly type: 'byte'; readonly byte: number }
  | { readonly type: 'text'; readonly text: string }
  /** Unencoded bytes. */
  | { readonly type: 'binary'; readonly bytes: Uint8Array }

const pattern = /([{}])|\\([a-zA-Z]+)(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z'])|([^\\{}\r\n]+)|[\r\n]+|\\/g

/** @param source the file, with one character per byte; unescaped bytes above 127 become byte tokens, too */
export function* rtfTokens(source: string): Generator<Token> {
  const search = new RegExp(pattern)
  for (let match = search.exec(source); match; match = search.exec(source)) {
    const [, brace, word, value, hex, symbol, plain] = match
    if (word === 'bin') {
      const start = search.lastIndex
      search.lastIndex = start + Math.max(0, Number(value ?? 0))
      yield { type: 'binary', bytes: Buffer.from(source.slice(start, search.lastIndex), 'latin1') }
    } else if (brace) yield { type: brace === '{' ? 'open' : 'close' }
    else if (word) yield { type: 'word', word, value: value === undefined ? undefined : Number(value) }
    else if (hex) yield { type: 'byte', byte: Number.parseInt(hex, 16) }
    else if (symbol) yield* symbolOf(symbol)
    else if (plain) yield* plainOf(plain)
  }
}

function* symbolOf(symbol: string): Generator<Token> {
  if (symbol === '~') yield { type: 'text', text: '\u00a0' }
  else if (symbol === '_') yield { type: 'text', text: '-' }
  else if (symbol === '*') yield { type: 'word', word: '*', value: undefined }
  else if (symbol === '\n' || symbol === '\r') yield { type: 'word', word: 'par', value: undefined }
  else if (/[\\{}]/.test(symbol)) yield { type: 'text', text: symbol }
}

function* plainOf(plain: string): Generator<Token> {
  for (const part of plain.split(/([\x80-\xff])/)) {
    if (part === '') continue
    if (/^[\x80-\xff]$/.test(part)) yield { type: 'byte', byte: part.charCodeAt(0) }
    else yield { type: 'text', text: part }
  }
}

/** Collects the bytes of an image, which RTF stores as hexadecimal digits or as binary data. */
export class ImageBuilder {
  private type: string | undefined
  private digits = ''
  private readonly binary: Uint8Array[] = []

  word(word: string): void {
    if (word === 'pngblip') this.type = 'image/png'
    else if (word === 'jpegblip') this.type = 'image/jpeg'
  }

  hex(digits: string): void {
    this.digits += digits
  }

  bytes(bytes: Uint8Array): void {
    this.binary.push(bytes)
  }

  /** A data URI; undefined for drawings. */
  get uri(): string | undefined {
    const content = this.binary.length ? Buffer.concat(this.binary) : Buffer.from(this.digits.replace(/\s/g, ''), 'hex')
    return this.type !== undefined && content.length ? dataUri(this.type, content) : undefined
  }
}
