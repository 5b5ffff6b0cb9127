import { writeSync } from 'node:fs'
import type { OnnxExternalTensor, TensorData } from '@sallyport/weights'

/** Bytes to whose multiples tensors are moved, so that the runtime can map them. */
const alignment = 4096

/** Weights beside graphs, which several of them share. */
export class WeightsFile {
  private position = 0

  /** @param location the file's name, as graphs call it */
  constructor(
    private readonly descriptor: number,
    private readonly location: string,
  ) {}

  add(type: OnnxExternalTensor['type'], shape: readonly number[], data: TensorData): OnnxExternalTensor {
    const offset = Math.ceil(this.position / alignment) * alignment
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    for (let written = 0; written < bytes.length;)
      written += writeSync(this.descriptor, bytes, written, bytes.length - written, offset + written)
    this.position = offset + bytes.length
    return { type, shape, location: this.location, offset, length: bytes.length }
  }
}
