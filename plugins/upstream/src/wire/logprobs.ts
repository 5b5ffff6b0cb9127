import { toUSVString } from 'node:util'
import { append } from '@sallyport/kit/lists'
import { isRecord } from '@sallyport/kit/json'
import type { TokenLogprob } from '@sallyport/core'
import { listOf } from './read.js'
import type { Fields } from './read.js'

interface TextChunk {
  readonly delta: string
  readonly logprobs?: TokenLogprob[]
}

/**
 * The log-probabilities of a text that comes in parts. Those whose tokens spell another text than their part are
 * dropped, because the checks of the answer do not see that text.
 */
export class TextLogprobs {
  /** Log-probabilities of tokens whose text comes later: a character may need several. */
  #waiting: TokenLogprob[] = []

  /** @param alternatives of each token at most; undefined where no log-probabilities were asked for */
  constructor(private readonly alternatives: number | undefined) {}

  /** Adds the log-probabilities of a chunk. @throws BadReply */
  add(value: unknown): void {
    if (this.alternatives !== undefined) append(this.#waiting, logprobsOf(value, this.alternatives))
  }

  /** Takes the log-probabilities that have come for a part of the text. */
  of(text: string): Pick<TextChunk, 'logprobs'> {
    const logprobs = tokensOfText(this.#waiting, text)
    this.#waiting = []
    return logprobs.length ? { logprobs } : {}
  }

  /** The end of the text, which may be empty, with its log-probabilities. */
  *flush(delta: string): Iterable<TextChunk> {
    const chunk = { delta, ...this.of(delta) }
    if (delta || chunk.logprobs) yield chunk
  }
}

/** Returns the tokens where they spell the text, else none. Bytes that may spell another text are removed. */
const tokensOfText = (tokens: TokenLogprob[], text: string): TokenLogprob[] => {
  const bytes = Buffer.concat(tokens.map((token) => Buffer.from(token.bytes ?? Buffer.from(token.token))))
  if (bytes.equals(Buffer.from(text))) return tokens
  if (!isSameText(tokens.map(({ token }) => token).join(''), text)) return []
  return tokens.map(({ bytes: own, ...token }) =>
    own && !token.token.includes('\ufffd') ? { ...token, bytes: own } : token,
  )
}

/** Compares without white space, which some servers strip from tokens; U+FFFD represents split characters. */
const isSameText = (tokens: string, text: string): boolean => {
  const visible = text.replace(/\s+/g, '')
  const [first = '', ...parts] = tokens.replace(/\s+/g, '').split(/\ufffd+/)
  if (!visible.startsWith(first)) return false
  let at = first.length
  for (const part of parts) {
    const next = part === '' ? visible.length : visible.indexOf(part, at)
    if (next < 0 || /\p{ASCII}/u.test(visible.slice(at, next))) return false
    at = next + part.length
  }
  return at === visible.length
}

/**
 * Log-probabilities of a chunk: the form of chat (`content`), or the older one of completions (`tokens`,
 * `token_logprobs`, `top_logprobs`).
 */
const logprobsOf = (value: unknown, alternatives: number): TokenLogprob[] => {
  if (!isRecord(value)) return []
  const tokens = 'tokens' in value ? completionTokens(value) : listOf(value.content, 'logprobs.content').map(chatToken)
  return tokens.filter((token) => token !== undefined).map((token) => limited(token, alternatives))
}

const limited = ({ top, ...token }: TokenLogprob, alternatives: number): TokenLogprob => {
  const best = [...(top ?? [])].sort((a, b) => b.logprob - a.logprob).slice(0, alternatives)
  return best.length ? { ...token, top: best } : token
}

const chatToken = (value: unknown): TokenLogprob | undefined => {
  if (!isRecord(value)) return undefined
  const token = tokenLogprob(value.token, value.logprob, value.bytes)
  if (!token) return undefined
  const top = listOf(value.top_logprobs, 'logprobs.top_logprobs')
    .map((entry) => (isRecord(entry) ? tokenLogprob(entry.token, entry.logprob, entry.bytes) : undefined))
    .filter((entry) => entry !== undefined)
  return top.length ? { ...token, top } : token
}

const completionTokens = ({ tokens, token_logprobs, top_logprobs }: Fields): (TokenLogprob | undefined)[] => {
  const logprobs = listOf(token_logprobs, 'logprobs.token_logprobs')
  const tops = listOf(top_logprobs, 'logprobs.top_logprobs')
  return listOf(tokens, 'logprobs.tokens').map((name, index) => {
    const token = tokenLogprob(name, logprobs[index], undefined)
    const top = tops[index]
    if (!token || !isRecord(top)) return token
    const entries = Object.entries(top).map(([other, logprob]) => tokenLogprob(other, logprob, undefined))
    return { ...token, top: entries.filter((entry) => entry !== undefined) }
  })
}

/**
 * Rounding may put the logarithm of 1 slightly above 0. The bytes take precedence over the text, because some servers
 * write half a character as an escape.
 */
const tokenLogprob = (token: unknown, logprob: unknown, bytes: unknown): Omit<TokenLogprob, 'top'> | undefined =>
  typeof token === 'string' && typeof logprob === 'number'
    ? {
        logprob: Math.min(logprob, 0),
        ...(isBytes(bytes) ? { token: Buffer.from(bytes).toString(), bytes } : { token: toUSVString(token) }),
      }
    : undefined

const isBytes = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255)
