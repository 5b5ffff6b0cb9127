import { buildOnnx, int64, scalar } from '@sallyport/weights'
import type { OnnxExternalTensor, OnnxGraph, OnnxNode, OnnxTensor } from '@sallyport/weights'
import { valuesOf } from '../weights/index.js'
import type { Network } from '../weights/index.js'
import type { Matrices } from './matrices.js'
import type { WeightsFile } from './weights-file.js'

type Attributes = OnnxNode['attributes']

/** A graph in the making. What computes something returns the name of its result. */
export class GraphBuilder {
  private readonly nodes: OnnxNode[] = []
  private readonly initializers: Record<string, OnnxTensor | OnnxExternalTensor> = {}
  private count = 0

  constructor(
    private readonly network: Network,
    private readonly file: WeightsFile,
    readonly matrices: Matrices,
  ) {}

  op(op: string, inputs: readonly string[], attributes: Attributes = {}): string {
    return this.add({ op, inputs, attributes })
  }

  /** One of onnxruntime's own operators. */
  ownOp(op: string, inputs: readonly string[], attributes: Attributes = {}): string {
    return this.add({ op, domain: 'com.microsoft', inputs, attributes })
  }

  /** Gives a result the name of one of the graph's outputs. */
  name(value: string, output: string): void {
    this.nodes.push({ op: 'Identity', inputs: [value], outputs: [output] })
  }

  number(value: number): string {
    return this.constant(scalar(value))
  }

  integer(value: number): string {
    return this.constant(int64(value))
  }

  /** A list of them. */
  integers(...values: number[]): string {
    return this.constant(int64(values))
  }

  constant(tensor: OnnxTensor | OnnxExternalTensor): string {
    const name = `constant.${this.count++}`
    this.initializers[name] = tensor
    return name
  }

  /** The model's tensor. @throws FormatError */
  weights(name: string, ...shape: readonly number[]): Float32Array {
    return valuesOf(this.network, name, ...shape)
  }

  floats(values: Float32Array, ...shape: readonly number[]): string {
    return this.constant(this.file.add('FP32', shape, values))
  }

  bytes(values: Uint8Array, ...shape: readonly number[]): string {
    return this.constant(this.file.add('UINT8', shape, values))
  }

  /** [.., columns] times the tensor [rows, columns] turned round, and its bias where it has one: [.., rows]. */
  linear(input: string, name: string, rows: number, columns: number): string {
    const bias = this.network.tensors.has(`${name}.bias`) ? this.weights(`${name}.bias`, rows) : undefined
    const weight = this.weights(`${name}.weight`, rows, columns)
    return this.matrices.linear(this, input, { weight, bias, rows, columns })
  }

  layerNorm(input: string, name: string, width: number): string {
    const [gain, shift] = [this.weights(`${name}.weight`, width), this.weights(`${name}.bias`, width)]
    const inputs = [input, this.floats(gain, width), this.floats(shift, width)]
    return this.op('LayerNormalization', inputs, { axis: { int: -1 }, epsilon: { float: 1e-5 } })
  }

  /** Adds to [1, length, width] what two linear layers make of it, with GELU between them. */
  feedForward(input: string, name: string, width: number): string {
    const norm = this.layerNorm(input, `${name}.mlp_ln`, width)
    const middle = this.ownOp('Gelu', [this.linear(norm, `${name}.mlp.0`, 4 * width, width)])
    return this.op('Add', [input, this.linear(middle, `${name}.mlp.2`, width, 4 * width)])
  }

  finish(inputs: OnnxGraph['inputs'], outputs: OnnxGraph['outputs']): Uint8Array {
    return buildOnnx({ inputs, outputs, nodes: this.nodes, initializers: this.initializers })
  }

  private add(node: Omit<OnnxNode, 'outputs'>): string {
    const output = `value.${this.count++}`
    this.nodes.push({ ...node, outputs: [output] })
    return output
  }
}
