import type { Tensor, TensorType } from '@sallyport/core'
import { fromFloat16 } from '@sallyport/kit/numbers'

/** Types of which {@link numbersOf} reads. */
export const isFloat = (type: TensorType): boolean => type === 'FP32' || type === 'FP16' || type === 'FP64'

/** As single precision; shares the memory where it is that already. */
export const numbersOf = ({ type, data }: Tensor): Float32Array => {
  const { buffer, byteOffset, byteLength } = aligned(data)
  switch (type) {
    case 'FP32':
      return new Float32Array(buffer, byteOffset, byteLength / 4)
    case 'FP16':
      return fromFloat16(new Uint16Array(buffer, byteOffset, byteLength / 2))
    case 'FP64':
      return Float32Array.from(new Float64Array(buffer, byteOffset, byteLength / 8))
    default:
      throw new TypeError(`${type} does not hold fractions`)
  }
}

const aligned = (data: Uint8Array): Uint8Array => (data.byteOffset % 8 === 0 ? data : data.slice())
