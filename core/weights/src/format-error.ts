/** Says in a sentence what is wrong with a file. */
export class FormatError extends Error {
  override readonly name = 'FormatError'
}

export const damagedFile = () => new FormatError('the file of weights is cut off or damaged')
