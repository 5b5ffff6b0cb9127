/**
 * Reads the data part of Python's pickle format (opcodes as in CPython's pickletools) and nothing else: opcodes that
 * import or call what is not in {@link allowedGlobals} are refused, so nothing of a file is ever executed. What it builds
 * is not larger than a small multiple of the file.
 */

import { damagedFile, FormatError } from '../format-error.js'
import { allowedGlobals } from './globals.js'
import type { Pickled, TorchStorage } from './globals.js'

const refusal = (what: string) =>
  new FormatError(
    `the file is refused: it asks for ${what}, and only dictionaries of float32 and int64 tensors are read`,
  )

/** The beginning of a list of values on the stack. */
const mark = Symbol('mark')
type Mark = typeof mark

/** Reads one file, which may hold several pickles in a row. */
export class Unpickler {
  #stack: (Pickled | Mark)[] = []
  #memo = new Map<number, Pickled>()
  readonly #view: DataView

  /** @param loadStorage resolves a persistent id, as `persistent_load` does in Python */
  constructor(
    private readonly bytes: Uint8Array,
    private readonly loadStorage: (persistentId: readonly Pickled[]) => TorchStorage,
    public position = 0,
  ) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** The next pickle's value. @throws FormatError */
  read(): Pickled {
    this.#stack = []
    this.#memo = new Map()
    if (this.uint8() !== 0x80 || this.uint8() > 3) throw damagedFile()
    for (;;) {
      const code = this.uint8()
      if (code === stop) return this.pop()
      const step = steps[code]
      if (!step) throw refusal(`the pickle opcode 0x${code.toString(16)}`)
      step(this)
    }
  }

  take(length: number): Uint8Array {
    const start = this.position
    if (length < 0 || start + length > this.bytes.length) throw damagedFile()
    this.position += length
    return this.bytes.subarray(start, this.position)
  }

  uint8(): number {
    return this.#view.getUint8(this.#advance(1))
  }

  uint16(): number {
    return this.#view.getUint16(this.#advance(2), true)
  }

  int32(): number {
    return this.#view.getInt32(this.#advance(4), true)
  }

  uint32(): number {
    return this.#view.getUint32(this.#advance(4), true)
  }

  #advance(length: number): number {
    this.take(length)
    return this.position - length
  }

  float64(): number {
    return this.#view.getFloat64(this.#advance(8))
  }

  /** An operand that ends with a line feed. */
  line(): string {
    const end = this.bytes.indexOf(0x0a, this.position)
    if (end < 0 || end - this.position > 256) throw damagedFile()
    const line = Buffer.from(this.take(end - this.position)).toString('latin1')
    this.position++
    return line
  }

  push(value: Pickled | Mark): void {
    this.#stack.push(value)
  }

  pop(): Pickled {
    const value = this.top()
    this.#stack.pop()
    return value
  }

  /** The values since the last mark. */
  popToMark(): Pickled[] {
    const start = this.#stack.lastIndexOf(mark)
    if (start < 0) throw damagedFile()
    return this.#stack.splice(start).slice(1) as Pickled[]
  }

  top(): Pickled {
    const value = this.#stack.at(-1)
    if (value === undefined || value === mark) throw damagedFile()
    return value
  }

  remember(index: number): void {
    this.#memo.set(index, this.top())
  }

  recall(index: number): void {
    const value = this.#memo.get(index)
    if (value === undefined) throw damagedFile()
    this.push(value)
  }

  tuple(length: number): void {
    const values = Array.from({ length }, () => this.pop())
    this.push({ tuple: values.reverse() })
  }

  global(): void {
    const name = `${this.line()}.${this.line()}`
    if (!Object.hasOwn(allowedGlobals, name)) throw refusal(`"${name.replace(/[^\w.]/g, '?').slice(0, 80)}"`)
    this.push({ global: name as keyof typeof allowedGlobals })
  }

  call(): void {
    const [parameters, callable] = [this.pop(), this.pop()]
    if (!isObject(callable, 'global') || !isObject(parameters, 'tuple')) throw damagedFile()
    this.push(allowedGlobals[callable.global](parameters.tuple))
  }

  persistentId(): void {
    const id = this.pop()
    if (!isObject(id, 'tuple')) throw damagedFile()
    this.push(this.loadStorage(id.tuple))
  }

  fill(items: readonly Pickled[]): void {
    const target = this.top()
    if (!(target instanceof Map) || items.length % 2) throw damagedFile()
    for (let index = 0; index < items.length; index += 2) target.set(items[index] ?? null, items[index + 1] ?? null)
  }

  append(items: readonly Pickled[]): void {
    const target = this.top()
    if (!Array.isArray(target)) throw damagedFile()
    for (const item of items) target.push(item)
  }
}

const isObject = <Key extends string>(value: Pickled, key: Key): value is Extract<Pickled, Record<Key, unknown>> =>
  typeof value === 'object' && value !== null && key in value

/** A signed little-endian integer. */
const decodeLong = (bytes: Uint8Array): bigint => {
  let value = 0n
  bytes.forEach((byte, index) => (value |= BigInt(byte) << BigInt(8 * index)))
  return BigInt.asIntN(8 * bytes.length, value)
}

const decodeUtf8 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')

const stop = 0x2e

const steps: Readonly<Record<number, (machine: Unpickler) => void>> = {
  0x28: (machine) => machine.push(mark), // MARK
  0x29: (machine) => machine.tuple(0), // EMPTY_TUPLE
  0x47: (machine) => machine.push(machine.float64()), // BINFLOAT
  0x4a: (machine) => machine.push(machine.int32()), // BININT
  0x4b: (machine) => machine.push(machine.uint8()), // BININT1
  0x4d: (machine) => machine.push(machine.uint16()), // BININT2
  0x4e: (machine) => machine.push(null), // NONE
  0x51: (machine) => machine.persistentId(), // BINPERSID
  0x52: (machine) => machine.call(), // REDUCE
  0x58: (machine) => machine.push(decodeUtf8(machine.take(machine.uint32()))), // BINUNICODE
  0x5d: (machine) => machine.push([]), // EMPTY_LIST
  0x61: (machine) => machine.append([machine.pop()]), // APPEND
  // BUILD: the state of an object is dropped; that of a state dictionary is `_metadata`, the versions of its modules
  0x62: (machine) => void machine.pop(),
  0x63: (machine) => machine.global(), // GLOBAL
  0x65: (machine) => machine.append(machine.popToMark()), // APPENDS
  0x68: (machine) => machine.recall(machine.uint8()), // BINGET
  0x6a: (machine) => machine.recall(machine.uint32()), // LONG_BINGET
  0x71: (machine) => machine.remember(machine.uint8()), // BINPUT
  0x72: (machine) => machine.remember(machine.uint32()), // LONG_BINPUT
  0x73: (machine) => machine.fill([machine.pop(), machine.pop()].reverse()), // SETITEM
  0x74: (machine) => machine.push({ tuple: machine.popToMark() }), // TUPLE
  0x75: (machine) => machine.fill(machine.popToMark()), // SETITEMS
  0x7d: (machine) => machine.push(new Map()), // EMPTY_DICT
  0x85: (machine) => machine.tuple(1), // TUPLE1
  0x86: (machine) => machine.tuple(2), // TUPLE2
  0x87: (machine) => machine.tuple(3), // TUPLE3
  0x88: (machine) => machine.push(true), // NEWTRUE
  0x89: (machine) => machine.push(false), // NEWFALSE
  0x8a: (machine) => machine.push(decodeLong(machine.take(machine.uint8()))), // LONG1
}
