/** A piece of RTF. */
export type Token =
  | { readonly type: 'open' }
  | { readonly type: 'close' }
  | { readonly type: 'word'; readonly word: string; readonly value: number | undefined }
  /** A byte of the current code page. */
  | { readonly type: 'byte'; readonly byte: number }
  | { readonly type: 'text'; readonly text: string }

const pattern = /([{}])|\\([a-zA-Z]+)(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z'])|([^\\{}\r\n]+)|[\r\n]+|\\/g

/** Bytes above 127 that stand unescaped are told as bytes, too. */
export function* rtfTokens(source: string): Generator<Token> {
  for (const match of source.matchAll(pattern)) {
    const [, brace, word, value, hex, symbol, plain] = match
    if (brace) yield { type: brace === '{' ? 'open' : 'close' }
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
