/** Says in a sentence what is wrong with a file; never holds its content. */
export class FormatError extends Error {
  override readonly name = 'FormatError'
}
