/** Tells titles, headings and lists of names from running text. */

/** A line with more words or UTF-16 code units is a sentence, whatever it ends with. */
const [maxWords, maxLength] = [12, 80]
/** A line of at least so many words that ends as sentences do is one. */
const minSentenceWords = 4
const sentenceEnd = /[.!?。！？…]["'”’»)\]*_~`]*$/u

/** Whether no line of a text is a sentence. */
export const isOutline = (text: string): boolean => !text.split(/\r?\n/).some((line) => isSentence(line.trim()))

const isSentence = (line: string): boolean => {
  if (line.length > maxLength) return true
  const words = line.split(/\s+/).length
  return words > maxWords || (words >= minSentenceWords && sentenceEnd.test(line))
}
