export interface Label {
  readonly label: string
  readonly score: number
}

/** The answer where nothing was recognised and the chat model is not asked. */
export const nothingRecognised =
  'I could not recognise anything in the picture: I only know some kinds of object, and see none of them clearly in it.'

/** The problem where {@link nothingRecognised} would not be a valid answer. */
export const notRecognised =
  'nothing was recognised in the images of the last message, and the answer may not be a text that says so'

/**
 * The note on the images of a message, with a line in brackets for each. Labels are untrusted text, so nothing in them
 * can end the line or the brackets. The note is short because small models take further words, and percentages, for the
 * topic of the question.
 */
export const noteOf = (images: readonly (readonly Label[])[]): string =>
  images
    .map(
      (labels, index) => `[Picture ${index + 1}${labels.length ? ` shows: ${listOf(labels)}` : ' was not recognised'}]`,
    )
    .join('\n')

const listOf = (labels: readonly Label[]): string => labels.map(({ label }) => sanitised(label)).join(', ')

const sanitised = (text: string): string =>
  text
    .replace(/[\p{C}\s]+/gu, ' ')
    .replaceAll('[', '(')
    .replaceAll(']', ')')
    .trim()
