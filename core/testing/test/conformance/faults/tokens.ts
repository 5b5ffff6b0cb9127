import { setTimeout as sleep } from 'node:timers/promises'
import { tokens } from '@sallyport/core'
import type { Token, TokensCapability } from '@sallyport/core'
import type { unusualTexts } from '../../../src/conformance/samples.js'
import { references } from '../../reference/references.js'
import { encode } from '../../../src/reference/tokens.js'
import { plant } from '../plant.js'
import type { Fault } from '../plant.js'
import { answeredBy, askedOf, callFaults, calling } from './calls.js'

type Faults = Record<string, Fault<TokensCapability>>

const changeText = (change: (text: string) => string) =>
  askedOf<TokensCapability, 'tokenize'>('tokenize', ({ text }) => ({ text: change(text) }))

const changeTokens = (change: (token: Token) => Token) =>
  answeredBy<TokensCapability, 'tokenize'>('tokenize', ({ tokens: found }) => ({ tokens: found.map(change) }))

/** What a careless tokenizer does to each of the unusual texts. */
const damage: Record<keyof typeof unusualTexts, (text: string) => string> = {
  'one space': (text) => text.trim(),
  'white space of all kinds': (text) => text.replaceAll(/\s+/g, ' '),
  'line ends of three systems': (text) => text.replaceAll('\r\n', '\n'),
  'NUL and control characters': (text) => text.split('\0')[0] ?? '',
  'combining characters': (text) => text.normalize('NFC'),
  'composed and decomposed': (text) => text.normalize('NFKC'),
  'emoji families and flags': (text) => text.replaceAll('\u200D', ''),
  'right to left': (text) => text.replaceAll(/[\u202A-\u202E]/g, ''),
  'scripts without spaces': (text) => text.replaceAll(/[^\p{ASCII}]/gu, (character) => ` ${character} `),
  'characters beyond the basic plane': (text) => text.replaceAll(/[^\u0000-\uFFFF]/gu, '?'),
  'invisible characters': (text) => text.replaceAll('\u200B', ''),
  'strings that look like special tokens': (text) => text.replaceAll(/<\/?s>/g, ''),
  placeholders: (text) => text.replaceAll('&amp;', '&'),
}

const roundTripFaults: Faults = Object.fromEntries(
  Object.entries(damage).map(([what, change]) => [`round trip: ${what}`, changeText(change)]),
)

export const tokensFaults = plant<TokensCapability>({
  capability: tokens,
  ...references.tokens,
  faults: {
    ...callFaults<TokensCapability, 'tokenize'>('tokenize', (_, times) => ({ tokens: [...encode(String(times))] })),
    ...callFaults<TokensCapability, 'detokenize'>('detokenize', (_, times) => ({ text: String(times) })),
    'round trip: plain text': changeText((text) => text.toLowerCase()),
    ...roundTripFaults,
    'lone surrogates become U+FFFD, or are refused': changeText((text) => text.replaceAll(/\p{Surrogate}/gu, '')),
    'offsets are code points and cover the text': answeredBy('tokenize', ({ tokens: found }, { text }) => ({
      tokens: found.map((token) => ({ ...token, end: Array.from(text).slice(0, token.end).join('').length })),
    })),
    'ids are whole numbers from 0 on': changeTokens((token) => ({ ...token, id: token.id - 50 })),
    'an empty text has no tokens but special ones': answeredBy('tokenize', ({ tokens: found }, { text }) => ({
      tokens: text ? found : [...encode(' ')],
    })),
    'an id outside the vocabulary becomes U+FFFD': answeredBy('detokenize', ({ text }) => ({
      text: text.replaceAll('\uFFFD', ''),
    })),
    'long texts without spaces take linear time': calling('tokenize', (inner) => async (request, call) => {
      await sleep(450 * (request.text.length / 45_000) ** 4)
      return inner(request, call)
    }),
  },
})
