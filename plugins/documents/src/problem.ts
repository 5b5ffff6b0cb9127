/** Why a document cannot be read: says what is wrong, and what to do. */
export class DocumentProblem extends Error {
  override readonly name = 'DocumentProblem'
}

/** Something of ours failed, and not for the document: for the log. */
export class OwnFailure extends Error {
  override readonly name = 'OwnFailure'
}

/** Whatever it throws is ours. @throws OwnFailure */
export const ours = async <Value>(what: string, work: () => Promise<Value>): Promise<Value> => {
  try {
    return await work()
  } catch (cause) {
    throw new OwnFailure(what, { cause })
  }
}
