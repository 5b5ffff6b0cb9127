export interface Label {
  readonly label: string
  readonly score: number
}

/** The answer where nothing was recognised: the chat model is not asked. */
export const nothingRecognisedAnswer =
  'I could not recognise anything in the picture: I only know some kinds of object, and see none of them clearly in it.'

/** The problem where that answer would not be what the request asks for. */
export const nothingRecognisedProblem =
  'nothing was recognised in the images of the last message, and the request does not allow an answer in words'

/**
 * The note on the images of a message, with a line in brackets for each. Labels are untrusted text, so nothing in them
 * can end the line or the brackets. The note is short because small models take further words, and percentages, for the
 * topic of the question.
 */
export const noteOf = (images: readonly (readonly Label[])[]): string => images.map(lineOf).join('\n')

const lineOf = (labels: readonly Label[], index: number): string => {
  const names = labels.map(({ label }) => sanitised(label)).join(', ')
  return `[Picture ${index + 1} ${labels.length ? `shows: ${names}` : 'was not recognised'}]`
}

const sanitised = (text: string): string =>
  text
    .replace(/[\p{C}\s]+/gu, ' ')
    .replaceAll('[', '(')
    .replaceAll(']', ')')
    .trim()
