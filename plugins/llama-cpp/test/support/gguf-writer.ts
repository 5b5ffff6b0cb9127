/** Writes GGUF files (ggml/docs/gguf.md), well-formed ones and others. */

export type Value =
  | { u16: number }
  | { u32: number }
  | { i32: number }
  | { f32: number }
  | { bool: boolean }
  | { text: string }
  | { texts: readonly string[] }
  | { i32s: readonly number[] }

export interface TensorData {
  readonly name: string
  readonly shape: readonly number[]
  /** Given as the bytes of f32 values. */
  readonly values: Float32Array
}

const alignment = 32

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

export const u64 = (value: number | bigint) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

const f32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return bytes
}

export const ggufText = (text: string) => Buffer.concat([u64(Buffer.byteLength(text)), Buffer.from(text)])

const encode = (value: Value): Buffer => {
  if ('u16' in value) return Buffer.concat([u32(2), Buffer.from(Uint16Array.of(value.u16).buffer)])
  if ('i32' in value) return Buffer.concat([u32(5), u32(value.i32 >>> 0)])
  if ('u32' in value) return Buffer.concat([u32(4), u32(value.u32)])
  if ('f32' in value) return Buffer.concat([u32(6), f32(value.f32)])
  if ('bool' in value) return Buffer.concat([u32(7), Buffer.of(value.bool ? 1 : 0)])
  if ('text' in value) return Buffer.concat([u32(8), ggufText(value.text)])
  if ('texts' in value) return Buffer.concat([u32(9), u32(8), u64(value.texts.length), ...value.texts.map(ggufText)])
  return Buffer.concat([u32(9), u32(5), u64(value.i32s.length), ...value.i32s.map((item) => u32(item >>> 0))])
}

/** Magic, version 3 and the two counts. */
export const ggufStart = (tensors: number | bigint, keys: number | bigint) =>
  Buffer.concat([Buffer.from('GGUF'), u32(3), u64(tensors), u64(keys)])

export const ggufKey = (key: string, value: Value) => Buffer.concat([ggufText(key), encode(value)])

export const ggufTensor = (name: string, shape: readonly (number | bigint)[], type: number, offset: number | bigint) =>
  Buffer.concat([ggufText(name), u32(shape.length), ...shape.map(u64), u32(type), u64(offset)])

const padded = (bytes: Buffer) =>
  Buffer.concat([bytes, Buffer.alloc((alignment - (bytes.length % alignment)) % alignment)])

/** A whole file of f32 tensors. */
export const writeGguf = (metadata: Readonly<Record<string, Value>>, tensors: readonly TensorData[]): Buffer => {
  const data = tensors.map(({ values }) => padded(Buffer.from(values.buffer, values.byteOffset, values.byteLength)))
  let offset = 0
  const infos = tensors.map(({ name, shape }, index) => {
    const info = ggufTensor(name, shape, 0, offset)
    offset += data[index]!.length
    return info
  })
  const keys = Object.entries(metadata).map(([key, value]) => ggufKey(key, value))
  const header = Buffer.concat([ggufStart(tensors.length, keys.length), ...keys, ...infos])
  return Buffer.concat([padded(header), ...data])
}

/** The same in as many files, as `llama-gguf-split` does it: the metadata is in the first one. */
export const writeGgufParts = (
  metadata: Readonly<Record<string, Value>>,
  tensors: readonly TensorData[],
  count: number,
): Buffer[] => {
  const each = Math.ceil(tensors.length / count)
  return Array.from({ length: count }, (_, index) => {
    const split: Record<string, Value> = {
      'split.no': { u16: index },
      'split.count': { u16: count },
      'split.tensors.count': { i32: tensors.length },
    }
    return writeGguf({ ...(index === 0 ? metadata : {}), ...split }, tensors.slice(index * each, (index + 1) * each))
  })
}
