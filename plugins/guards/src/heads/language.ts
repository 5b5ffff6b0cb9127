/** Words that hardly anything is written without, of English and of languages that its words are taken from or look like. */
const english = new Set(
  'the of and to is you that it for are with this be have from by not what were when your can which how if will about out then them these would into has more could than been who its now my i we they was do does an or all'.split(
    ' ',
  ),
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

/** From so many English words on, a few others beside them may be padding, which is to make an attack look foreign. */
const fewWords = 3
const paddedShare = 8

/** Whether a text is rather in another language than in English, as far as its words and their letters tell. */
export const isForeign = (text: string): boolean => {
  const words =
    text
      .slice(0, sample)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  const count = (isOne: (word: string) => boolean) => words.filter(isOne).length
  const ofEnglish = count((word) => english.has(word))
  const share = ofEnglish < fewWords ? 1 : paddedShare
  return count((word) => others.has(word) || otherLetter.test(word)) > share * ofEnglish
}
