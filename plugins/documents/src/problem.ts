/** A document cannot be read; the message tells the user what is wrong, and what to do. */
export class DocumentProblem extends Error {
  override readonly name = 'DocumentProblem'
}

/** A limit of the whole document, which an attachment must not pass by being left out. */
export class WholeLimitProblem extends DocumentProblem {}

/** A failure of the plugin that is not the document's fault, for the log. */
export class OwnFailure extends Error {
  override readonly name = 'OwnFailure'
}

/** Turns any error of the work into an OwnFailure. @throws OwnFailure */
export const asOwnFailure = async <Value>(what: string, work: () => Promise<Value>): Promise<Value> => {
  try {
    return await work()
  } catch (cause) {
    throw new OwnFailure(what, { cause })
  }
}
