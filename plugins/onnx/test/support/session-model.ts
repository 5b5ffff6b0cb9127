import { TextModel } from '../../src/encoder/text-model.js'
import { tokenRows, wholeRows } from '../../src/encoder/rows.js'
import type { Evaluate } from '../../src/encoder/text-model.js'
import { OrtSession } from '../../src/session/ort-session.js'

/** A classifier from the bytes of an ONNX file, behind the batcher. */
export const sessionModel = async (
  bytes: Uint8Array,
  of: 'texts' | 'tokens' = 'texts',
): Promise<{ evaluate: Evaluate; release: () => Promise<void> }> => {
  const session = await OrtSession.load('tiny', bytes, { threads: 1, optimization: 'all', executionProvider: 'cpu' })
  const model = new TextModel({
    id: 'tiny',
    session,
    padId: 0,
    output: 'logits',
    readRows: of === 'tokens' ? tokenRows : wholeRows,
    maxBatchTokens: 2048,
    maxQueued: 100_000,
  })
  return { evaluate: model.evaluate, release: () => session.release() }
}
