/** Why a document cannot be read: says what is wrong, and what to do. */
export class DocumentProblem extends Error {
  override readonly name = 'DocumentProblem'
}
