import { writeSync } from 'node:fs'
import type { OnnxExternalTensor, TensorData } from '@sallyport/weights'
import { valuesOf } from '../weights/index.js'
import type { Checkpoint, ModelDimensions } from '../weights/index.js'
import { GraphBuilder } from './builder.js'
import type { MatrixFormat } from './matrix-format.js'

/** Builds a graph of a Whisper model, whose weights are written to a file beside it. */
export class WhisperGraphBuilder extends GraphBuilder {
  constructor(
    readonly checkpoint: Checkpoint,
    private readonly file: WeightsFile,
    readonly matrixFormat: MatrixFormat,
  ) {
    super()
  }

  get dimensions(): ModelDimensions {
    return this.checkpoint.dimensions
  }

  /** The values of a tensor of the model. @throws FormatError */
  weights(name: string, ...shape: readonly number[]): Float32Array {
    return valuesOf(this.checkpoint, name, ...shape)
  }

  /** A tensor of the model as a constant. @throws FormatError */
  tensor(name: string, ...shape: readonly number[]): string {
    return this.floats(this.weights(name, ...shape), ...shape)
  }

  override floats(values: Float32Array, ...shape: readonly number[]): string {
    return this.constant(this.file.add('FP32', shape, values))
  }

  bytes(values: Uint8Array, ...shape: readonly number[]): string {
    return this.constant(this.file.add('UINT8', shape, values))
  }

  /** [.., columns] times the transposed tensor [rows, columns], plus its bias if it has one: [.., rows]. */
  linear(input: string, name: string, rows = this.dimensions.hiddenSize, columns = this.dimensions.hiddenSize): string {
    const bias = this.checkpoint.tensors.has(`${name}.bias`) ? this.weights(`${name}.bias`, rows) : undefined
    const weight = this.weights(`${name}.weight`, rows, columns)
    return this.matrixFormat.linear(this, input, { weight, bias, rows, columns })
  }

  layerNorm(input: string, name: string): string {
    const { hiddenSize } = this.dimensions
    const inputs = [input, this.tensor(`${name}.weight`, hiddenSize), this.tensor(`${name}.bias`, hiddenSize)]
    return this.op('LayerNormalization', inputs, { axis: { int: -1 }, epsilon: { float: 1e-5 } })
  }

  /** A residual feed-forward block on [1, length, hiddenSize]: two linear layers with GELU between them. */
  feedForward(input: string, name: string): string {
    const { hiddenSize } = this.dimensions
    const middle = this.contribOp('Gelu', [
      this.linear(this.layerNorm(input, `${name}.mlp_ln`), `${name}.mlp.0`, 4 * hiddenSize),
    ])
    return this.op('Add', [input, this.linear(middle, `${name}.mlp.2`, hiddenSize, 4 * hiddenSize)])
  }
}

/** Byte alignment of tensors, so that the runtime can map them. */
const byteAlignment = 4096

/** Writes the weights of several graphs to one file. */
export class WeightsFile {
  private position = 0

  /** @param location the file's name, as graphs refer to it */
  constructor(
    private readonly descriptor: number,
    private readonly location: string,
  ) {}

  add(type: OnnxExternalTensor['type'], shape: readonly number[], data: TensorData): OnnxExternalTensor {
    const offset = Math.ceil(this.position / byteAlignment) * byteAlignment
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    for (let written = 0; written < bytes.length;)
      written += writeSync(this.descriptor, bytes, written, bytes.length - written, offset + written)
    this.position = offset + bytes.length
    return { type, shape, location: this.location, offset, length: bytes.length }
  }
}
