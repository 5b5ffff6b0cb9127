/**
 * Reads the data part of Python's pickle format (opcodes as in CPython's pickletools) and nothing else: opcodes that
 * import or call what is not in {@link makeObject} are refused, so nothing of a file is ever executed. What it builds
 * is not larger than a small multiple of the file.
 */

import { damagedFile, FormatError } from '../format-error.js'
import { makeObject } from './globals.js'
import type { Pickled, TorchStorage } from './globals.js'

const refusal = (what: string) =>
  new FormatError(`the file is refused: it asks for ${what}, which files of weights do not need`)

/** The beginning of a list of values on the stack. */
const mark = Symbol('mark')
type Mark = typeof mark

/** Reads one file, which may hold several pickles in a row. */
export class Unpickler {
  #stack: (Pickled | Mark)[] = []
  #memo = new Map<number, Pickled>()
  readonly #view: DataView

  /** @param storageOf resolves a reference to the file's own data */
  constructor(
    private readonly bytes: Uint8Array,
    private readonly storageOf: (reference: readonly Pickled[]) => TorchStorage,
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

  /** A line of the old text opcodes. */
  line(): string {
    const end = this.bytes.indexOf(0x0a, this.position)
    if (end < 0 || end - this.position > 256) throw damagedFile()
    const text = Buffer.from(this.take(end - this.position)).toString('latin1')
    this.position++
    return text
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
    if (!Object.hasOwn(makeObject, name)) throw refusal(`"${name.replace(/[^\w.]/g, '?').slice(0, 80)}"`)
    this.push({ global: name as keyof typeof makeObject })
  }

  call(): void {
    const [parameters, callable] = [this.pop(), this.pop()]
    if (!isObject(callable, 'global') || !isObject(parameters, 'tuple')) throw damagedFile()
    this.push(makeObject[callable.global](parameters.tuple))
  }

  reference(): void {
    const reference = this.pop()
    if (!isObject(reference, 'tuple')) throw damagedFile()
    this.push(this.storageOf(reference.tuple))
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

/** A signed little-endian number of any length; those of weights have at most ten bytes. */
const decodeLong = (bytes: Uint8Array): bigint => {
  let value = 0n
  bytes.forEach((byte, index) => (value |= BigInt(byte) << BigInt(8 * index)))
  return BigInt.asIntN(8 * bytes.length, value)
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')

const stop = 0x2e

const steps: Readonly<Record<number, (machine: Unpickler) => void>> = {
  0x28: (machine) => machine.push(mark),
  0x29: (machine) => machine.tuple(0),
  0x47: (machine) => machine.push(machine.float64()),
  0x4a: (machine) => machine.push(machine.int32()),
  0x4b: (machine) => machine.push(machine.uint8()),
  0x4d: (machine) => machine.push(machine.uint16()),
  0x4e: (machine) => machine.push(null),
  0x51: (machine) => machine.reference(),
  0x52: (machine) => machine.call(),
  0x58: (machine) => machine.push(text(machine.take(machine.uint32()))),
  0x5d: (machine) => machine.push([]),
  0x61: (machine) => machine.append([machine.pop()]),
  // The state of an object (torch writes its own versions there) is left out.
  0x62: (machine) => void machine.pop(),
  0x63: (machine) => machine.global(),
  0x65: (machine) => machine.append(machine.popToMark()),
  0x68: (machine) => machine.recall(machine.uint8()),
  0x6a: (machine) => machine.recall(machine.uint32()),
  0x71: (machine) => machine.remember(machine.uint8()),
  0x72: (machine) => machine.remember(machine.uint32()),
  0x73: (machine) => machine.fill([machine.pop(), machine.pop()].reverse()),
  0x74: (machine) => machine.push({ tuple: machine.popToMark() }),
  0x75: (machine) => machine.fill(machine.popToMark()),
  0x7d: (machine) => machine.push(new Map()),
  0x85: (machine) => machine.tuple(1),
  0x86: (machine) => machine.tuple(2),
  0x87: (machine) => machine.tuple(3),
  0x88: (machine) => machine.push(true),
  0x89: (machine) => machine.push(false),
  0x8a: (machine) => machine.push(decodeLong(machine.take(machine.uint8()))),
}
