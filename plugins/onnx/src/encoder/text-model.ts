import type { Requester } from '@sallyport/kit/async'
import type { Encoding } from '../text/token-template.js'
import type { Tensor } from '@sallyport/core'
import { Batcher } from '../batching/batcher.js'
import type { Preparation } from '../batching/batcher.js'
import type { Session } from '../session/ort-session.js'
import { toFloat32 } from './rows.js'
import type { ReadRows } from './rows.js'
import { fixedShape, textInputs } from './text-inputs.js'

/**
 * Evaluates texts. The results are in the order of the texts, without padding: the logits of a text, the logits of all
 * its tokens in row-major order where the model labels tokens, or its vector where the model embeds texts.
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
  /** The name of the output to read. */
  readonly output: string
  readonly readRows: ReadRows
  /** Makes the tensors of a batch; by default those that every encoder takes. */
  readonly makeInputs?: typeof textInputs
  /** Padding included. */
  readonly maxBatchTokens: number
  /** The maximum number of texts that wait. */
  readonly maxQueued: number
  /** The tokenizer that encodes the texts. */
  readonly preparation?: Preparation
  /** Values for the image inputs of a graph that holds both towers. */
  readonly dummyPixels?: Readonly<Record<string, Tensor>> | undefined
}

/** A text model: for each text, it computes one row of numbers, or one per token. */
export class TextModel {
  /** Infinite unless the model's file fixes it. */
  readonly maxBatchSize: number
  private batcher: Batcher<Encoding, Float32Array>

  constructor(private readonly options: TextModelOptions) {
    this.maxBatchSize = fixedShape(options.session.inputs).batchSize ?? Infinity
    this.batcher = this.createBatcher(this.maxBatchSize)
  }

  readonly evaluate: Evaluate = (texts, encode, requester) => this.batcher.run(texts, encode, requester)

  /** Evaluates one batch without the queue and without checking the rows: for trials while the model is loaded. */
  async evaluateNow(encodings: readonly Encoding[]): Promise<Float32Array[]> {
    const { session, padId, output, readRows, makeInputs = textInputs, dummyPixels } = this.options
    const results = await session.run({ ...makeInputs(encodings, session.inputs, padId), ...dummyPixels }, [output])
    const tensor = results[output]
    if (!tensor) throw new TypeError('the output is missing')
    const lengths = encodings.map(({ ids }) => ids.length)
    return readRows({ shape: tensor.shape, data: toFloat32(tensor) }, lengths)
  }

  /** Evaluates one text at a time from now on. Must not be called while a request is running. */
  evaluateSingly(): void {
    this.batcher = this.createBatcher(1)
  }

  private createBatcher(maxItems: number): Batcher<Encoding, Float32Array> {
    const { maxBatchTokens, maxQueued, preparation, session } = this.options
    const { sequenceLength } = fixedShape(session.inputs)
    return new Batcher<Encoding, Float32Array>({
      maxTokens: maxBatchTokens,
      maxItems,
      maxQueued,
      ...(preparation && { preparation }),
      sizeOf: ({ ids }) => sequenceLength ?? ids.length,
      evaluate: async (encodings) => {
        const rows = await this.evaluateNow(encodings)
        // The batcher then tries the texts one by one, and fails those that are at fault.
        if (!rows.every((row) => row.every(Number.isFinite)))
          throw new RangeError('the model returned numbers that are not finite')
        return rows
      },
    })
  }
}
