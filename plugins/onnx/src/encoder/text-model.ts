import { failure } from '@sallyport/core'
import type { Requester } from '@sallyport/kit/async'
import type { Encoding } from '../text/token-template.js'
import type { Tensor } from '@sallyport/core'
import { Batcher } from '../batching/batcher.js'
import type { Preparation } from '../batching/batcher.js'
import { fitsShape, formatShape } from '../session/check-run.js'
import type { Session } from '../session/ort-session.js'
import { toFloat32 } from './rows.js'
import type { ReadRows } from './rows.js'
import { fixedShape, textInputs } from './text-inputs.js'

/**
 * Evaluates texts. The results are in the order of the texts, without padding: the logits of a text, the logits of all
 * its tokens in row-major order where the model labels tokens, or its vector where the model embeds texts.
 * @param encode called when the request has been admitted
 * @throws overloaded; model_invalid for results of another shape or that are not finite; the signal's reason when
 * aborted; what encoding throws
 */
export type Evaluate = <Text>(
  texts: readonly Text[],
  encode: (text: Text) => Encoding | Promise<Encoding>,
  requester: Requester,
) => Promise<Float32Array[]>

export interface TextModelOptions {
  /** The id of the model, for messages. */
  readonly id: string
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

  /**
   * Evaluates one batch without the queue, and whether or not its rows are finite: for trials while the model is loaded.
   * @throws model_invalid for results of another shape than the one that was asked for and declared
   */
  async evaluateNow(encodings: readonly Encoding[]): Promise<Float32Array[]> {
    const { session, padId, output, readRows, makeInputs = textInputs, dummyPixels } = this.options
    const inputs = makeInputs(encodings, session.inputs, padId)
    const tensor = (await session.run({ ...inputs, ...dummyPixels }, [output]))[output]
    if (!tensor) throw new TypeError('the output is missing')
    this.checkShape(tensor.shape, inputs['input_ids']?.shape)
    const lengths = encodings.map(({ ids }) => ids.length)
    return readRows({ shape: tensor.shape, data: toFloat32(tensor) }, lengths)
  }

  /** Like {@link evaluateNow}. @throws model_invalid for rows that are not finite, too */
  async evaluateFinite(encodings: readonly Encoding[]): Promise<Float32Array[]> {
    const rows = await this.evaluateNow(encodings)
    if (rows.every((row) => row.every(Number.isFinite))) return rows
    throw this.invalid('gives numbers that are not finite: export it again, with weights in single precision (FP32)')
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
      // Where this throws, the batcher tries the texts one by one, and fails those that are at fault.
      evaluate: (encodings) => this.evaluateFinite(encodings),
    })
  }

  /** Files may declare a size of the batch or of the texts that is not theirs, so what was asked for holds. */
  private checkShape(shape: readonly number[], [batchSize = -1, sequenceLength = -1]: readonly number[] = []): void {
    const { session, output } = this.options
    const declared = session.outputs.find(({ name }) => name === output)?.shape ?? []
    const expected =
      declared.length === 3 ? [batchSize, sequenceLength, ...declared.slice(2)] : [batchSize, ...declared.slice(1)]
    if (fitsShape(shape, expected)) return
    throw this.invalid(`has the shape ${formatShape(shape)} and not ${formatShape(expected)}: export it again`)
  }

  private invalid(problem: string) {
    const { id: model, output } = this.options
    return failure('model_invalid', { model, problem: `its output "${output.slice(0, 64)}" ${problem}` })
  }
}
