/** Models in place of real ones. */

import { once } from 'node:events'
import { definePlugin, embedding, failure, injectable, chat, translation } from '@sallyport/core'
import type {
  Call,
  ChatCapability,
  ChatChunk,
  ChatRequest,
  EmbeddingCapability,
  EmbeddingRequest,
  TranslationCapability,
  TranslationRequest,
} from '@sallyport/core'

const german = new Map(
  Object.entries({
    ...{
      the: 'die',
      a: 'eine',
      and: 'und',
      is: 'ist',
      in: 'in',
      red: 'rote',
      big: 'große',
      old: 'alte',
      small: 'kleine',
    },
    ...{
      cat: 'Katze',
      house: 'Hütte',
      water: 'Wasser',
      drinks: 'trinkt',
      milk: 'Milch',
      sees: 'sieht',
      garden: 'Wiese',
    },
  }),
)

/** Word for word. */
export const germanOf = (text: string): string =>
  text.replaceAll(/(?<![\p{L}/:.{<%_-])\p{L}+(?![\p{L}/}>_-])/gu, (word) => german.get(word.toLowerCase()) ?? word)

/** What the chat model was asked, as it came. */
export const asked: ChatRequest[] = []

const textIn = ({ messages }: ChatRequest): string => {
  const content = messages.at(-1)?.content
  return typeof content === 'string' ? (/<(text\d*)>([\s\S]*)<\/\1>/.exec(content)?.[2] ?? '') : ''
}

/** Translates what stands between the tags, and says so. */
@injectable()
export class ChattyTranslator implements ChatCapability {
  async *stream(request: ChatRequest, { signal }: Call): AsyncGenerator<ChatChunk> {
    await new Promise((resolve) => setImmediate(resolve))
    signal.throwIfAborted()
    asked.push(request)
    const text = textIn(request)
    if (text === 'for ever') {
      await once(signal, 'abort')
      throw signal.reason
    }
    yield { delta: 'Here is the translation:\n"' }
    yield { delta: germanOf(text) }
    yield { delta: '"\n\nNote: word for word.' }
    yield { finish: text.includes('endless') ? 'length' : 'stop' }
  }
}

/** Engines that fail in one way each, by their names. */
const engineOf = (translate: (request: TranslationRequest) => string, target = 'de') => {
  @injectable()
  class Scripted implements TranslationCapability {
    async translate(request: TranslationRequest, { signal }: Call) {
      await Promise.resolve()
      signal.throwIfAborted()
      const translated = translate(request)
      return { candidates: [{ translation: translated, score: 1, model: 'scripted', status: 'success' as const }] }
    }

    async pairs(_: object, { signal }: Call) {
      await Promise.resolve()
      signal.throwIfAborted()
      return { pairs: [{ source: 'en', target }] }
    }
  }
  return Scripted
}

/** Texts are near each other where they speak of the same in German and English. */
@injectable()
class TwoLanguages implements EmbeddingCapability {
  async embed({ inputs }: EmbeddingRequest, { signal }: Call) {
    await Promise.resolve()
    signal.throwIfAborted()
    const vectors = inputs.map((input) => {
      const words = germanOf('text' in input ? (input.text ?? '') : '').toLowerCase()
      return Float32Array.of(words.includes('katze') ? 1 : 0, words.includes('wasser') ? 1 : 0, 0.01)
    })
    return { vectors, promptTokens: 0 }
  }
}

export const models = definePlugin({
  name: 'models',
  models: {
    chatty: { capability: chat, class: ChattyTranslator },
    small: { capability: chat, class: ChattyTranslator, parameters: 135e6 },
    good: { capability: translation, class: engineOf(({ text }) => germanOf(text)) },
    copying: { capability: translation, class: engineOf(({ text }) => text) },
    looping: { capability: translation, class: engineOf(() => 'die Katze und '.repeat(40)) },
    failing: {
      capability: translation,
      class: engineOf(() => {
        throw failure('overloaded', {})
      }),
    },
    blocking: {
      capability: translation,
      class: engineOf(() => {
        throw failure('content_blocked', { message: 'pii detected' })
      }),
    },
    elsewhere: { capability: translation, class: engineOf(() => 'Das Wetter wird morgen in Berlin sehr schön sein.') },
    spanish: { capability: translation, class: engineOf(({ text }) => text, 'es') },
    vectors: { capability: embedding, class: TwoLanguages },
  },
})
