import type { Tensor } from '@sallyport/core'

/** Of float32 numbers, whose memory it shares. */
export const floatTensor = (shape: number[], values: Float32Array): Tensor => ({
  type: 'FP32',
  shape,
  data: new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
})

/** Shares the memory where that is aligned. */
export const floatsOf = ({ data }: Tensor): Float32Array => {
  const aligned = data.byteOffset % 4 === 0 ? data : data.slice()
  return new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4)
}
