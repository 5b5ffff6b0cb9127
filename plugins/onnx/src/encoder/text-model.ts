import type { Requester } from '@sallyport/kit/async'
import type { Encoding } from '../text/frame.js'
import type { Tensor } from '@sallyport/core'
import { Batcher } from '../batching/batcher.js'
import type { Session } from '../session/ort-session.js'
import { numbersOf } from './rows.js'
import type { FloatTensor, ReadRows } from './rows.js'
import { fixedShape, textInputs } from './text-inputs.js'

/**
 * What a model says about texts, in their order: the output without padding, in row-major order. One row of logits per
 * text, or one per token where the model labels tokens; the vector of a text where it embeds.
 * @param encode is asked when the call has been admitted
 * @throws overloaded; the signal's reason when aborted; what encoding throws
 */
export type Evaluate = <Text>(
  texts: readonly Text[],
  encode: (text: Text) => Encoding | Promise<Encoding>,
  asking: Requester,
) => Promise<Float32Array[]>

export interface TextModelOptions {
  readonly session: Session
  readonly padId: number
  /** Name of the output to read. */
  readonly output: string
  readonly readRows: ReadRows
  /** Of a batch, padding included. */
  readonly batchTokens: number
  /** Texts that may wait. */
  readonly queue: number
  /** What the model wants besides texts: of a file that also reads images. */
  readonly blank?: Readonly<Record<string, Tensor>>
}

/** A model of texts: one row of numbers, or one per token, for each text. */
export class TextModel {
  /** Of an evaluation, as far as the model's file fixes it. */
  readonly maxTexts: number
  private batcher: Batcher<Encoding, Float32Array>

  constructor(private readonly options: TextModelOptions) {
    this.maxTexts = fixedShape(options.session.inputs).texts ?? Infinity
    this.batcher = this.createBatcher(this.maxTexts)
  }

  readonly evaluate: Evaluate = (texts, encode, asking) => this.batcher.run(texts, encode, asking)

  /** At once, past the queue, whatever comes out: for measurements while the model is loaded. */
  evaluateNow(encodings: readonly Encoding[]): Promise<Float32Array[]> {
    return this.evaluateBatch(encodings)
  }

  /** One text at a time from now on. Only while no call is running. */
  separate(): void {
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
        // the batcher then tries the texts alone, and fails those that are at fault
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
  return { shape: tensor.shape, data: numbersOf(tensor) }
}
