/** Writes files as `torch.save` did before it wrote zip files. */

export const ops = {
  mark: Buffer.of(0x28),
  tuple0: Buffer.of(0x29),
  tuple1: Buffer.of(0x85),
  tuple: Buffer.of(0x74),
  reduce: Buffer.of(0x52),
  reference: Buffer.of(0x51),
  dict: Buffer.of(0x7d),
  list: Buffer.of(0x5d),
  setItems: Buffer.of(0x75),
  appendAll: Buffer.of(0x65),
  none: Buffer.of(0x4e),
  true: Buffer.of(0x88),
  false: Buffer.of(0x89),
  number: (value: number) => {
    if (!Number.isInteger(value)) {
      const double = Buffer.alloc(9, 0x47)
      double.writeDoubleBE(value, 1)
      return double
    }
    const bytes = Buffer.alloc(5, 0x4a)
    bytes.writeInt32LE(value, 1)
    return bytes
  },
  text: (text: string) => {
    const head = Buffer.alloc(5, 0x58)
    head.writeUInt32LE(Buffer.byteLength(text), 1)
    return Buffer.concat([head, Buffer.from(text)])
  },
  /** `module name` */
  global: (name: string) => Buffer.from(`c${name.replace(' ', '\n')}\n`, 'latin1'),
}

export const pickle = (...parts: readonly Uint8Array[]) =>
  Buffer.concat([Buffer.of(0x80, 2), ...parts, Buffer.of(0x2e)])

const magic = Buffer.from('8a0a6cfc9c46f9206aa85019', 'hex')

export const header = ({ littleEndian = true } = {}) =>
  Buffer.concat([
    pickle(magic),
    pickle(Buffer.of(0x4d, 0xe9, 0x03)),
    pickle(ops.dict, ops.mark, ops.text('little_endian'), littleEndian ? ops.true : ops.false, ops.setItems),
  ])

export interface TensorLayout {
  readonly storage: string
  readonly shape: readonly number[]
  readonly strides: readonly number[]
  readonly offset?: number
}

/** Elements of the storage that tensors are said to look into. */
const said = 6

const tupleOf = (values: readonly number[]) => Buffer.concat([ops.mark, ...values.map(ops.number), ops.tuple])

const tensorOps = ({ storage, shape, strides, offset = 0 }: TensorLayout) =>
  Buffer.concat([
    ops.global('torch._utils _rebuild_tensor_v2'),
    ops.mark,
    ops.mark,
    ops.text('storage'),
    ops.global('torch FloatStorage'),
    ops.text(storage),
    ops.text('cpu'),
    ops.number(said),
    ops.none,
    ops.tuple,
    ops.reference,
    ops.number(offset),
    tupleOf(shape),
    tupleOf(strides),
    ops.false,
    ops.global('collections OrderedDict'),
    ops.tuple0,
    ops.reduce,
    ops.tuple,
    ops.reduce,
  ])

/** The number of elements, and the elements. */
const storageData = (values: readonly number[]) => {
  const count = Buffer.alloc(8)
  count.writeBigInt64LE(BigInt(values.length))
  return Buffer.concat([count, Buffer.from(Float32Array.from(values).buffer)])
}

/** Tensors by name, and the data of their storages, of six numbers each. */
export const torchFile = (
  tensors: Readonly<Record<string, TensorLayout>>,
  storages: Readonly<Record<string, readonly number[]>>,
) =>
  Buffer.concat([
    header(),
    pickle(
      ops.global('collections OrderedDict'),
      ops.tuple0,
      ops.reduce,
      ops.mark,
      ...Object.entries(tensors).flatMap(([name, layout]) => [ops.text(name), tensorOps(layout)]),
      ops.setItems,
    ),
    pickle(ops.list, ops.mark, ...Object.keys(storages).map(ops.text), ops.appendAll),
    ...Object.values(storages).map(storageData),
  ])
