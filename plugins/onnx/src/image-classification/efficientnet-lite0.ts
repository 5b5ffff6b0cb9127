import { buildOnnx, FormatError } from '@sallyport/weights'
import type { OnnxNode, OnnxTensor, TorchTensor } from '@sallyport/weights'

/**
 * EfficientNet-Lite0 (Tan and Le 2019; the Lite variant has neither squeeze-and-excitation nor swish) as an ONNX graph,
 * from the weights as PyTorch names them. Batch normalisation is folded into the convolutions before it.
 */

/** Height and width of the input in pixels. */
export const side = 224
export const classCount = 1000

/** Per stage: number of blocks, kernel size, stride of the first block, expansion ratio, output channels. */
const stages = [
  [1, 3, 1, 1, 16],
  [2, 3, 2, 6, 24],
  [2, 5, 2, 6, 40],
  [3, 3, 2, 6, 80],
  [3, 5, 1, 6, 112],
  [4, 5, 2, 6, 192],
  [1, 3, 1, 6, 320],
] as const
const stemChannels = 32
const headChannels = 1280
/** The epsilon of batch normalisation, as in training. */
const epsilon = 1e-3

type Names = readonly [convolution: string, normalisation: string]
type Shape = readonly [outputChannels: number, inputChannels: number, height: number, width: number]

/**
 * Input `pixels` [views, 3, 224, 224], output `logits` [views, 1000].
 * @throws FormatError where the weights are of another network
 */
export const efficientNetLite0 = (weights: ReadonlyMap<string, TorchTensor>): Uint8Array => {
  const graph = new Graph(weights)
  let value = graph.convolve('pixels', ['_conv_stem', '_bn0'], [stemChannels, 3, 3, 3], { stride: 2 })
  let [block, inputChannels] = [0, stemChannels]
  for (const [count, kernelSize, firstStride, expansion, outputChannels] of stages)
    for (let index = 0; index < count; index++) {
      const stride = index === 0 ? firstStride : 1
      value = graph.block(value, `_blocks.${block++}`, { inputChannels, outputChannels, kernelSize, stride, expansion })
      inputChannels = outputChannels
    }
  return graph.finish(graph.convolve(value, ['_conv_head', '_bn1'], [headChannels, inputChannels, 1, 1]))
}

interface Block {
  readonly inputChannels: number
  readonly outputChannels: number
  readonly kernelSize: number
  readonly stride: number
  readonly expansion: number
}

class Graph {
  private readonly nodes: OnnxNode[] = []
  private readonly tensors: Record<string, OnnxTensor> = {
    lowest: { shape: [], data: Float32Array.of(0) },
    highest: { shape: [], data: Float32Array.of(6) },
  }

  constructor(private readonly weights: ReadonlyMap<string, TorchTensor>) {}

  /**
   * An inverted bottleneck: expansion, depthwise convolution, projection, and the input added where the shapes agree.
   */
  block(input: string, name: string, block: Block): string {
    const { inputChannels, outputChannels, kernelSize, stride, expansion } = block
    const expanded = inputChannels * expansion
    const names = (convolution: string, normalisation: string): Names => [
      `${name}.${convolution}`,
      `${name}.${normalisation}`,
    ]
    let value = input
    if (expansion > 1) value = this.convolve(value, names('_expand_conv', '_bn0'), [expanded, inputChannels, 1, 1])
    value = this.convolve(value, names('_depthwise_conv', '_bn1'), [expanded, 1, kernelSize, kernelSize], { stride })
    value = this.convolve(value, names('_project_conv', '_bn2'), [outputChannels, expanded, 1, 1], { clip: false })
    if (stride > 1 || inputChannels !== outputChannels) return value
    return this.node('Add', [value, input], `${name}.sum`)
  }

  /**
   * A convolution, depthwise where its weights have one input channel.
   * @param clip whether the result is clipped to 0..6 (ReLU6)
   */
  convolve(input: string, [name, normalisation]: Names, shape: Shape, { stride = 1, clip = true } = {}): string {
    const [weight, bias] = this.folded(name, normalisation, shape)
    this.tensors[`${name}.weight`] = { shape, data: weight }
    this.tensors[`${name}.bias`] = { shape: [shape[0]], data: bias }
    const value = this.node('Conv', [input, `${name}.weight`, `${name}.bias`], `${name}.out`, {
      auto_pad: { string: 'SAME_UPPER' },
      strides: { ints: [stride, stride] },
      group: { int: shape[1] === 1 ? shape[0] : 1 },
    })
    return clip ? this.node('Clip', [value, 'lowest', 'highest'], `${name}.cut`) : value
  }

  finish(value: string): Uint8Array {
    for (const [name, shape] of [
      ['_fc.weight', [classCount, headChannels]],
      ['_fc.bias', [classCount]],
    ] as const)
      this.tensors[name] = { shape, data: this.take(name, shape) }
    const features = this.node('Flatten', [this.node('GlobalAveragePool', [value], 'pooled')], 'features')
    this.node('Gemm', [features, '_fc.weight', '_fc.bias'], 'logits', { transB: { int: 1 } })
    return buildOnnx({
      inputs: [{ name: 'pixels', type: 'FP32', shape: ['views', 3, side, side] }],
      outputs: [{ name: 'logits', type: 'FP32', shape: ['views', classCount] }],
      nodes: this.nodes,
      initializers: this.tensors,
    })
  }

  private node(op: string, inputs: readonly string[], output: string, attributes: OnnxNode['attributes'] = {}): string {
    this.nodes.push({ op, inputs, outputs: [output], attributes })
    return output
  }

  /** y = (Wx − mean) · gain / √(variance + ε) + shift, as one convolution with a bias. */
  private folded(name: string, normalisation: string, shape: Shape): [Float32Array, Float32Array] {
    const weight = this.take(`${name}.weight`, shape)
    const take = (part: string) => this.take(`${normalisation}.${part}`, [shape[0]])
    const [gain, shift, mean, variance] = [take('weight'), take('bias'), take('running_mean'), take('running_var')]
    const scale = gain.map((value, channel) => value / Math.sqrt((variance[channel] ?? 0) + epsilon))
    const size = weight.length / shape[0]
    return [
      weight.map((value, index) => value * (scale[Math.floor(index / size)] ?? 0)),
      shift.map((value, channel) => value - (mean[channel] ?? 0) * (scale[channel] ?? 0)),
    ]
  }

  private take(name: string, shape: readonly number[]): Float32Array {
    const tensor = this.weights.get(name)
    if (tensor?.shape.join() === shape.join()) return tensor.values()
    throw new FormatError(`the weights are not those of EfficientNet-Lite0: ${name} is missing or has another shape`)
  }
}
