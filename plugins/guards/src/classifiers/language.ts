/** Function words of English, and of languages that share many words with it. */
const english = new Set(
  [
    'the of and to is you that it for are with this be have from by not what were when your can which how if will about',
    'out then them these would into has more could than been who its now my i we they was do does an or all us our am did',
    'done being because while after again other such same own both each first there here where why some any very much many',
    'still back next last every everything nothing anything something until whether though yourself must should never',
    'always only without so just make give tell show say let new please',
  ].flatMap((words) => words.split(' ')),
)
const others = new Set(
  [
    'le la les des du une est dans que qui pour pas sur avec ce cette vous nous je et au aux par où elle ils sont entre',
    'el los las una y es por con para del al se lo como más pero su cómo qué cuál son entre este esta',
    'il lo gli uno di che è per non con del della dei delle sono tra come una nel quale',
    'os um uma em não com dos das ao na no qual são como entre seu sua',
    'der die das und ist nicht ein eine zu mit von für auf den dem im sich wie ich wir sie',
    'het een van niet dat op te zijn wat hoe ik wij',
  ].flatMap((words) => words.split(' ')),
)

/** How many UTF-16 code units of a text are examined. */
const sampleLength = 4096

const otherLetter = /[^a-z]/

/**
 * The number of words in a row, without foreign ones (function words, or words with other letters than a to z), and how
 * many of them must be English function words to make a text English.
 */
const stretch = { words: 8, english: 2 }
/** The number of English function words, and their share of all words but foreign ones, that make a text English. */
const scattered = { english: 3, share: 0.15 }

/** Whether a text seems to be in another language than English, by its words and letters. */
export const isMostlyForeign = (text: string): boolean => {
  const words =
    text
      .slice(0, sampleLength)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  const languages = words.map((word) =>
    others.has(word) ? -1 : english.has(word) ? 1 : otherLetter.test(word) ? -1 : 0,
  )
  return (
    countOf(languages, -1) > countOf(languages, 1) && !hasEnglishStretch(languages) && !hasScatteredEnglish(languages)
  )
}

/** A number for each word: 1 for English, -1 for another language, 0 for unknown. */
type WordLanguages = readonly number[]

const countOf = (languages: WordLanguages, language: number): number =>
  languages.filter((each) => each === language).length

const hasScatteredEnglish = (languages: WordLanguages): boolean => {
  const count = countOf(languages, 1)
  return count >= scattered.english && count >= scattered.share * (languages.length - countOf(languages, -1))
}

const hasEnglishStretch = (languages: WordLanguages): boolean =>
  languages.some((_, from) => {
    const part = languages.slice(from, from + stretch.words)
    const isWhole = part.length === stretch.words && !part.includes(-1)
    return isWhole && countOf(part, 1) >= stretch.english
  })
