import { buildOnnx, int64, scalar } from '@sallyport/weights'
import type { OnnxExternalTensor, OnnxGraph, OnnxNode, OnnxTensor } from '@sallyport/weights'

type Attributes = OnnxNode['attributes']

/** Builds an ONNX graph. Methods that add nodes or constants return the names of their results. */
export class GraphBuilder {
  private readonly nodes: OnnxNode[] = []
  private readonly initializers: Record<string, OnnxTensor | OnnxExternalTensor> = {}
  private count = 0

  op(op: string, inputs: readonly string[], attributes: Attributes = {}): string {
    return this.add({ op, inputs, attributes })
  }

  /** Adds one of onnxruntime's contrib operators. */
  contribOp(op: string, inputs: readonly string[], attributes: Attributes = {}): string {
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

  integers(...values: number[]): string {
    return this.constant(int64(values))
  }

  floats(values: Float32Array, ...shape: readonly number[]): string {
    return this.constant({ shape, data: values })
  }

  finish(inputs: OnnxGraph['inputs'], outputs: OnnxGraph['outputs']): Uint8Array {
    return buildOnnx({ inputs, outputs, nodes: this.nodes, initializers: this.initializers })
  }

  protected constant(tensor: OnnxTensor | OnnxExternalTensor): string {
    const name = `constant.${this.count++}`
    this.initializers[name] = tensor
    return name
  }

  private add(node: Omit<OnnxNode, 'outputs'>): string {
    const output = `value.${this.count++}`
    this.nodes.push({ ...node, outputs: [output] })
    return output
  }
}
