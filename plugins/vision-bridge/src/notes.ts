export interface Label {
  readonly label: string
  readonly score: number
}

/** The answer where the model is not asked. */
export const nothingRecognised =
  'I could not recognise anything in the picture: I only know some kinds of object, and see none of them clearly in it.'

/** Where that would be no answer, why there is none. */
export const notRecognised =
  'nothing was recognised in the pictures of the last message, and the answer may not be words that say so'

/**
 * What is told of the images of a message, a line in brackets for each. It is somebody else's text: nothing in it
 * can end its line or its brackets. It is this short because small models take more words, and percentages, for what
 * they are asked about.
 */
export const noteOf = (images: readonly (readonly Label[])[]): string =>
  images
    .map(
      (labels, index) => `[Picture ${index + 1}${labels.length ? ` shows: ${listOf(labels)}` : ' was not recognised'}]`,
    )
    .join('\n')

const listOf = (labels: readonly Label[]): string => labels.map(({ label }) => harmless(label)).join(', ')

const harmless = (text: string): string =>
  text
    .replace(/[\p{C}\s]+/gu, ' ')
    .replaceAll('[', '(')
    .replaceAll(']', ')')
    .trim()
