import { failure } from '@sallyport/core'
import type { TranslationCapability } from '@sallyport/core'
import { referenceService } from './backend.js'

const german = new Map(
  Object.entries({
    ...{ the: 'die', a: 'eine', and: 'und', or: 'oder', not: 'nicht', is: 'ist', are: 'sind', has: 'hat', in: 'in' },
    ...{ cat: 'Katze', dog: 'Hund', house: 'Haus', water: 'Wasser', sun: 'Sonne', word: 'Wort', city: 'Stadt' },
    ...{ good: 'gut', morning: 'Morgen', hello: 'hallo', world: 'Welt', red: 'rot', big: 'groß', drinks: 'trinkt' },
  }),
)

const english = new Map(Array.from(german, ([word, translation]) => [translation.toLowerCase(), word]))

const dictionaries = [
  { source: 'en', target: 'de', words: german },
  { source: 'de', target: 'en', words: english },
]

/** Translates between English and German word for word; unknown words stay. */
export const DictionaryTranslation = referenceService<TranslationCapability>({
  translate: ({ text, source, target }) => {
    const dictionary = dictionaries.find((one) => one.source === source && one.target === target)
    if (!dictionary)
      throw failure('unsupported', { problem: `no translation from ${source} to ${target}; there are: ${listPairs()}` })
    let [known, all] = [0, 0]
    const translation = text.replaceAll(/(?<![\p{L}\p{N}:/.@{<$%_-])\p{L}+(?![\p{L}\p{N}:/@}>_-])/gu, (word) => {
      all += 1
      const found = dictionary.words.get(word.toLowerCase())
      if (found !== undefined) known += 1
      return found ?? word
    })
    return { candidates: [{ translation, score: all ? known / all : 1, model: 'dictionary', status: 'success' }] }
  },
  pairs: () => ({ pairs: dictionaries.map(({ source, target }) => ({ source, target })) }),
})

const listPairs = () => dictionaries.map(({ source, target }) => `${source} to ${target}`).join(', ')
