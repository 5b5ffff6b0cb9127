/** Words that hardly anything is written without, of English and of languages that its words are taken from or look like. */
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

/** UTF-16 units of a text by which its language is told. */
const sample = 4096

const otherLetter = /[^a-z]/

/** Words in a row of which none is of another language, and so many of English, are English whatever surrounds them. */
const stretch = { words: 8, english: 2 }
/** Words of English that make a text one, whatever is strewn in: so many, and so large a part of all but the other's. */
const strewn = { english: 3, part: 0.15 }

/** Whether a text is rather in another language than in English, as far as its words and their letters tell. */
export const isForeign = (text: string): boolean => {
  const words =
    text
      .slice(0, sample)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  const kinds = words.map((word) => (others.has(word) ? -1 : english.has(word) ? 1 : otherLetter.test(word) ? -1 : 0))
  return countOf(kinds, -1) > countOf(kinds, 1) && !hasEnglishStretch(kinds) && !isStrewnEnglish(kinds)
}

/** A number for each word: 1 for English, -1 for another language, 0 for any. */
type Kinds = readonly number[]

const countOf = (kinds: Kinds, wanted: number): number => kinds.filter((kind) => kind === wanted).length

const isStrewnEnglish = (kinds: Kinds): boolean => {
  const own = countOf(kinds, 1)
  return own >= strewn.english && own >= strewn.part * (kinds.length - countOf(kinds, -1))
}

const hasEnglishStretch = (kinds: Kinds): boolean =>
  kinds.some((_, from) => {
    const part = kinds.slice(from, from + stretch.words)
    const isWhole = part.length === stretch.words && !part.includes(-1)
    return isWhole && countOf(part, 1) >= stretch.english
  })
