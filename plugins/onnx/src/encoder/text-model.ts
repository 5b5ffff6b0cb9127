import type { Requester } from '@sallyport/kit/async'
import type { Encoding } from '../text/frame.js'
import type { Tensor } from '@sallyport/core'
import { Batcher } from '../batching/batcher.js'
import type { Session } from '../session/ort-session.js'
import { toFloat32 } from './rows.js'
import type { FloatTensor, ReadRows } from './rows.js'
import { fixedShape, textInputs } from './text-inputs.js'

/**
 * Evaluates texts. The results are in the order of the texts, without padding: the logits of a text, the logits of all its
 * tokens in row-major order where the model labels tokens, or its vector where the model embeds.
 * @param encode called when the request has been admitted
 * @throws overloaded; the signal's reason when aborted; what encoding throws
 */
export type Evaluate = <Text>(
  texts: readonly Text[],
  encode: (text: Text) => Encoding | Promise<Encoding>,
  requester: Requester,
) => Promise<Float32Array[]>

export interface TextModelOptions {
  readonly session: Session
  readonly padId: number
  /** Name of the output to read. */
  readonly output: string
  readonly readRows: ReadRows
  /** Tokens of a batch, padding included. */
  readonly batchTokens: number
  /** Texts that may wait. */
  readonly queue: number
  /** Values for the inputs besides texts, in a file that also reads images. */
  readonly blank?: Readonly<Record<string, Tensor>>
}

/** A model of texts: one row of numbers, or one per token, for each text. */
export class TextModel {
  /** How many texts one evaluation may have; infinite unless the model's file fixes it. */
  readonly maxTexts: number
  private batcher: Batcher<Encoding, Float32Array>

  constructor(private readonly options: TextModelOptions) {
    this.maxTexts = fixedShape(options.session.inputs).texts ?? Infinity
    this.batcher = this.createBatcher(this.maxTexts)
  }

  readonly evaluate: Evaluate = (texts, encode, requester) => this.batcher.run(texts, encode, requester)

  /** Evaluates without the queue and without a check of the results: for trials while the model is loaded. */
  evaluateNow(encodings: readonly Encoding[]): Promise<Float32Array[]> {
    return this.evaluateBatch(encodings)
  }

  /** Evaluates one text at a time from now on. Must not be called while a request is running. */
  evaluateSingly(): void {
    this.batcher = this.createBatcher(1)
  }

  private createBatcher(items: number): Batcher<Encoding, Float32Array> {
    const { batchTokens, queue, session } = this.options
    const { tokens } = fixedShape(session.inputs)
    return new Batcher<Encoding, Float32Array>({
      tokens: batchTokens,
      items,
      queue,
      sizeOf: ({ ids }) => tokens ?? ids.length,
      evaluate: async (encodings) => {
        const rows = await this.evaluateBatch(encodings)
        // The batcher then tries the texts one by one, and fails those that are at fault.
        if (!rows.every(allFinite)) throw new RangeError('the model answered with numbers that are not finite')
        return rows
      },
    })
  }

  private async evaluateBatch(encodings: readonly Encoding[]): Promise<Float32Array[]> {
    const { session, padId, output, readRows, blank } = this.options
    const results = await session.run({ ...textInputs(encodings, session.inputs, padId), ...blank }, [output])
    return readRows(
      floats(results[output]),
      encodings.map(({ ids }) => ids.length),
    )
  }
}

const allFinite = (row: Float32Array): boolean => row.every((value) => Number.isFinite(value))

const floats = (tensor: Tensor | undefined): FloatTensor => {
  if (!tensor) throw new TypeError('the output is missing')
  return { shape: tensor.shape, data: toFloat32(tensor) }
}
